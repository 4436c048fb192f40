// The values of moves and rolls, as bars and numbers.

import { inline } from './dice.js';
import { h, head, percent, signed } from './dom.js';
import { t } from './language.js';
import { unsquared } from './moves.js';

/** The bar of a value. @param {number | null} value @param {number} side */
const bar = (value, side) => {
  const fill = h('span', { class: `bar-fill side${side}` });
  fill.style.setProperty('--value', String(value ?? 0));
  return h('span', { class: 'bar', 'aria-hidden': 'true' }, fill);
};

const badge = () => h('span', { class: 'badge', title: t('values.exact.about') }, t('values.exact'));

/** A table with more rows than this scrolls within its frame. */
const ROWS = 14;

/**
 * A table, in a frame that scrolls when it is long.
 * @param {HTMLTableElement} table
 * @param {number} rows
 * @param {string} label
 */
const long = (table, rows, label) =>
  rows > ROWS ? h('div', { class: 'long', tabIndex: 0, role: 'region', 'aria-label': label }, table) : table;

/** A table head that only screen readers show. @param {string[]} columns */
function unseen(columns) {
  const row = head(columns);
  row.className = 'unseen';
  return row;
}

/**
 * The table of moves, the best first.
 * @param {Scored[]} moves
 * @param {number} side the side to move
 * @param {{ hover?: (move: string | null) => void, choose?: (move: string) => void, made?: string, alike?: number }} [options]
 *   the handlers for a move that is hovered over or chosen, the move that was played, and how many moves, from the
 *   first, were searched alike, if not all: only these are compared
 */
export function moveTable(moves, side, { hover, choose, made, alike = moves.length } = {}) {
  const best = moves[0]?.value ?? null;
  const row = (/** @type {Scored} */ { move, value, exact }, /** @type {number} */ place) =>
    h(
      'tr',
      {
        class: `${place === 0 ? 'best' : ''}${move === made ? ' made' : ''}`,
        onpointerenter: () => hover?.(move),
        onpointerleave: () => hover?.(null),
      },
      h('th', { scope: 'row' }, choose ? h('button', { type: 'button', class: 'plain', 'aria-label': t('values.play', { move: unsquared(move) }), onclick: () => choose(move), onfocus: () => hover?.(move), onblur: () => hover?.(null) }, unsquared(move)) : unsquared(move)),
      h('td', { class: 'bar-cell' }, bar(value, side)),
      h('td', { class: 'number' }, percent(value)),
      h('td', { class: 'number soft' }, place === 0 || place >= alike || value === null || best === null ? '' : signed(100 * (value - best))),
      h('td', {}, exact ? badge() : place < alike ? '' : h('span', { class: 'soft', title: t('values.first.about') }, t('values.first'))),
    );
  return long(h(
    'table',
    { class: 'scored' },
    h('caption', { class: 'unseen' }, t('values.moves')),
    unseen([t('column.move'), t('column.bar'), t('column.wins'), t('column.behind'), t('column.note')]),
    h('tbody', {}, ...moves.map(row)),
  ), moves.length, t('tree.moves'));
}

/**
 * The table of whole turns. Those that were searched furthest come first, the best of them at the top.
 * @param {ScoredTurn[]} turns
 * @param {number} side the side to move
 * @param {{ hover?: (moves: string[] | null) => void, choose?: (moves: string[]) => void, made?: ScoredTurn }} [options]
 *   the handlers for the moves of a turn that is hovered over or chosen, and the turn that was played
 */
export function turnTable(turns, side, { hover, choose, made } = {}) {
  const best = turns[0].value;
  const row = (/** @type {ScoredTurn} */ turn, /** @type {number} */ place) => {
    const { moves, value, exact, depth } = turn;
    const words = moves.map(unsquared).join(' ');
    return h(
      'tr',
      { class: `${place === 0 ? 'best' : ''}${turn === made ? ' made' : ''}`, onpointerenter: () => hover?.(moves), onpointerleave: () => hover?.(null) },
      h('th', { scope: 'row' }, choose ? h('button', { type: 'button', class: 'plain', 'aria-label': t('values.play', { move: words }), onclick: () => choose(moves), onfocus: () => hover?.(moves), onblur: () => hover?.(null) }, words) : words),
      h('td', { class: 'bar-cell' }, bar(value, side)),
      h('td', { class: 'number' }, percent(value)),
      h('td', { class: 'number soft' }, place === 0 ? '' : signed(100 * (value - best))),
      h('td', { class: 'depth' }, exact ? badge() : h('span', { class: 'soft', title: t('values.depth.about') }, t('values.depth', { depth }))),
    );
  };
  return long(h(
    'table',
    { class: 'scored' },
    h('caption', { class: 'unseen' }, t('values.turns')),
    unseen([t('column.turn'), t('column.bar'), t('column.wins'), t('column.behind'), t('column.depth')]),
    h('tbody', {}, ...turns.map(row)),
  ), turns.length, t('column.turns'));
}

/**
 * The table of all rolls.
 * @param {ScoredRoll[]} rolls
 * @param {number} side
 * @param {(roll: string) => void} open called with the roll that is chosen
 */
export function rollTable(rolls, side, open) {
  const row = (/** @type {ScoredRoll} */ { roll, weight, value, moves, turn }) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, h('button', { type: 'button', class: 'face', 'aria-label': t('values.look', { roll }), onclick: () => open(roll) }, inline(roll))),
      h('td', { class: 'soft' }, weight > 1 ? `×${weight}` : ''),
      h('td', { class: 'turn' }, (turn ?? [moves[0].move]).map(unsquared).join(' ')),
      h('td', { class: 'bar-cell' }, bar(value, side)),
      h('td', { class: 'number' }, percent(value)),
      h('td', {}, moves.every(({ exact }) => exact) ? badge() : ''),
    );
  return long(h(
    'table',
    { class: 'scored' },
    h('caption', { class: 'unseen' }, t('values.rolls')),
    unseen([t('column.roll'), t('column.weight'), t('column.best'), t('column.bar'), t('column.wins'), t('column.note')]),
    h('tbody', {}, ...rolls.map(row)),
  ), rolls.length, t('column.rolls'));
}
