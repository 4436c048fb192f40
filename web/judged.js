// What moves and throws are worth, as bars and numbers.

import { inline } from './dice.js';
import { h, percent } from './dom.js';

/** The bar of a value. @param {number | null} value @param {number} side */
const bar = (value, side) => {
  const fill = h('span', { class: `bar-fill side${side}` });
  fill.style.setProperty('--value', String(value ?? 0));
  return h('span', { class: 'bar', 'aria-hidden': 'true' }, fill);
};

const badge = () => h('span', { class: 'badge', title: 'The true value under best play' }, 'exact');

/**
 * The table of moves, the best first.
 * @param {Judged[]} moves
 * @param {number} side who moves
 * @param {{ hover?: (move: string | null) => void, made?: string }} [options]
 */
export function moveTable(moves, side, { hover, made } = {}) {
  const best = moves[0]?.value ?? null;
  const row = (/** @type {Judged} */ { move, value, exact }, /** @type {number} */ place) =>
    h(
      'tr',
      {
        class: `${place === 0 ? 'best' : ''}${move === made ? ' made' : ''}`,
        onpointerenter: () => hover?.(move),
        onpointerleave: () => hover?.(null),
      },
      h('th', { scope: 'row' }, move),
      h('td', { class: 'bar-cell' }, bar(value, side)),
      h('td', { class: 'number' }, percent(value)),
      h('td', { class: 'number soft' }, place === 0 || value === null || best === null ? '' : `−${(100 * (best - value)).toFixed(1)}`),
      h('td', {}, exact ? badge() : ''),
    );
  return h(
    'table',
    { class: 'judged' },
    h('caption', { class: 'unseen' }, 'Win probability after each move, for the side that moves'),
    h('thead', { class: 'unseen' }, h('tr', {}, ...['Move', 'Bar', 'Wins', 'Behind', 'Note'].map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, ...moves.map(row)),
  );
}

/**
 * The table of all throws.
 * @param {JudgedThrow[]} throws
 * @param {number} side
 * @param {(roll: string) => void} open is told of a throw to look at
 */
export function throwTable(throws, side, open) {
  const row = (/** @type {JudgedThrow} */ { roll, weight, value, moves }) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, h('button', { type: 'button', class: 'face', 'aria-label': `Look at throw ${roll}`, onclick: () => open(roll) }, inline(roll))),
      h('td', { class: 'soft' }, weight > 1 ? `×${weight}` : ''),
      h('td', {}, moves[0].move),
      h('td', { class: 'bar-cell' }, bar(value, side)),
      h('td', { class: 'number' }, percent(value)),
      h('td', {}, moves.every(({ exact }) => exact) ? badge() : ''),
    );
  return h(
    'table',
    { class: 'judged' },
    h('caption', { class: 'unseen' }, 'Best move and win probability for each throw; throws that allow the same are one'),
    h('thead', { class: 'unseen' }, h('tr', {}, ...['Throw', 'Weight', 'Best move', 'Bar', 'Wins', 'Note'].map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, ...throws.map(row)),
  );
}
