// What several pages need.

import { capital, s } from '../dom.js';

/** Goes to another page of the site. @param {string} address */
export const go = (address) => document.dispatchEvent(new CustomEvent('go', { detail: address }));

/** Tells a screen reader. @param {string} text */
export function say(text) {
  const place = document.getElementById('said');
  if (place) place.textContent = text;
}

/** Says in the browser's title what is seen. @param {...string} parts the most special first */
export function entitle(...parts) {
  document.title = [...parts, 'wurfel'].join(' – ');
}

/**
 * Copies what stands in a field. Over plain http a browser has no clipboard for pages; then the
 * field is selected, and copied from in the old way if the browser still knows it.
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

/** The address at which a position is analysed. @param {string} game @param {string} position */
export const analysis = (game, position) => `/analyse?${new URLSearchParams({ game, position })}`;

/** Gives a page the colours of the game's sides. @param {HTMLElement} main @param {Game} game */
export function dress(main, game) {
  main.dataset.sides = game.sides.join('-');
}

/** A side's colour, as a small square. @param {number} side */
export const swatch = (side) =>
  s('svg', { viewBox: '0 0 12 12', class: 'swatch', 'aria-hidden': 'true' }, s('rect', { x: 0.5, y: 0.5, width: 11, height: 11, rx: 3, class: `side${side}` }));

/** What plays an agent's side, in words. @param {Game} game @param {Player} player */
export function named(game, player) {
  if (player.kind === 'person') return 'Person';
  const level = game.levels.find(({ spec }) => spec === player.spec);
  return level ? level.name : player.spec;
}

/** How a game ended, in words: why, and who has won. @param {Game} game @param {End} end */
export function ending(game, end) {
  if (end.reason === 'aborted') return 'Abandoned before both sides had moved.';
  if (end.result === '1/2-1/2') return 'A draw.';
  const winner = end.result === '1-0' ? 0 : 1;
  const [won, lost] = [capital(game.sides[winner]), capital(game.sides[1 - winner])];
  const why = { rules: '', resigned: `${lost} has resigned. `, time: `${lost}’s time is over. `, fault: `${lost}’s agent failed. `, aborted: '', absent: `${lost} stayed away. ` };
  return `${why[end.reason]}${won} has won.`;
}
