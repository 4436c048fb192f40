// Functions that several pages share.

import { rank } from '../brief.js';
import { capital, h, s } from '../dom.js';
import { called, sideOf, t } from '../language.js';
import { among } from '../person.js';

/** Goes to another page of the site. @param {string} address */
export const go = (address) => document.dispatchEvent(new CustomEvent('go', { detail: address }));

/** Announces a text to screen readers. @param {string} text */
export function say(text) {
  const place = document.getElementById('said');
  // The same text is not announced again.
  if (place && place.textContent !== text) place.textContent = text;
}

/** An error as a sentence. @param {unknown} message */
export const sentence = (message) => `${capital(String(message))}${/[\u4e00-\u9fff]/.test(String(message)) ? '。' : '.'}`;

/** Sets the title of the page. @param {...string} parts the most specific first */
export function entitle(...parts) {
  document.title = [...parts, 'wurfel'].join(' – ');
}

/**
 * Copies the content of a field. Over plain HTTP, pages have no access to the clipboard. Then the
 * field is selected, and copied by the old command if the browser still has it.
 * @param {HTMLInputElement} field
 * @returns {Promise<boolean>} whether it is copied; if not, it is selected
 */
export async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand('copy');
  }
}

/**
 * Copies a text, and says so on the button that was pressed.
 * @param {HTMLElement} button
 * @param {string} text
 */
export async function copyText(button, text) {
  const field = h('input', { type: 'text', readOnly: true, value: text, 'aria-label': t('copy.field') });
  button.after(field);
  const copied = await copy(field);
  button.textContent = copied ? t('copy.done') : t('copy.selected');
  if (copied) field.remove();
}

/** The address at which a position is analysed. @param {string} game @param {string} position */
export const analysis = (game, position) => `/analyse?${new URLSearchParams({ game, position })}`;

/** Gives a page the colours of the game's sides. @param {HTMLElement} main @param {Game} game */
export function dress(main, game) {
  main.dataset.sides = game.sides.join('-');
}

/** A small square in the colour of a side. @param {number} side */
export const swatch = (side) =>
  s('svg', { viewBox: '0 0 12 12', class: 'swatch', 'aria-hidden': 'true' }, s('rect', { x: 0.5, y: 0.5, width: 11, height: 11, rx: 3, class: `side${side}` }));

/** The player of a side, in words. @param {Game} game @param {Player} player */
export function named(game, player) {
  if (player.kind === 'person') return player.name ? among(player.name) : t('person.unnamed');
  const level = game.levels.find(({ spec }) => spec === player.spec);
  return level ? rank(level.name) : player.spec;
}

/** How a game ended, in words: why, and who has won. @param {Game} game @param {End} end @param {Scene} scene the last position */
export function ending(game, end, scene) {
  if (end.reason === 'aborted') return t('end.aborted');
  if (end.result === '1/2-1/2') return scene.drawn ? t('end.drawn', { why: called(`drawn.${scene.drawn}`, scene.drawn) }) : t('end.draw');
  const winner = end.result === '1-0' ? 0 : 1;
  const [won, lost] = [winner, 1 - winner].map((side) => capital(sideOf(game, side)));
  return end.fault ? t('end.failed', { won, lost, fault: end.fault }) : t(`end.${end.reason}`, { won, lost });
}
