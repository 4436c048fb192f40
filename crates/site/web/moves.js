// Moves as squares of the board, and moves and rolls in words.

import { capital, percent, points } from './dom.js';
import { called, conjoined, t } from './language.js';

/**
 * The squares of a move, for its arrow and its animation.
 * @param {Board} board
 * @param {string} text
 * @returns {Move | null}
 */
export function squares(board, text) {
  const names = board.squares.map((_, place) => board.columns[place % board.columns.length] + board.rows[Math.floor(place / board.columns.length)]);
  const from = names.findIndex((name) => text.startsWith(name));
  if (from < 0) return null;
  const to = names.indexOf(text.slice(names[from].length, names[from].length + names[from].length));
  return to < 0 ? null : { text, from, to, captures: null };
}

/** The kind of chess pieces that a letter stands for; empty if it stands for none. @param {string} letter */
export const kind = (letter) => called(`piece.${letter.toUpperCase()}`, '');

/** A roll in words. @param {string} roll */
export function spoken(roll) {
  const dice = roll.toUpperCase();
  const letters = [...new Set(dice)];
  if (!letters.every(kind)) return t('roll.number', { roll });
  return conjoined(letters.map((letter) => {
    const count = dice.split(letter).length - 1;
    return count > 1 ? t(/** @type {import('./language.js').Key} */ (`roll.${letter}`), { count }) : t('roll.piece', { piece: kind(letter) });
  }));
}

/** The text of a pass. */
export const PASS = '0000';

/** How many moves there are. @param {number} count */
export const moveCount = (count) => t('moves.count', { count });

/** A move that is not given by two squares, in words. @param {string} text */
export const unsquared = (text) => (text === PASS ? t('moves.pass') : text);

/** Several moves in words. @param {string[]} moves */
export const together = (moves) => moves.map(unsquared).join(t('list.separator'));

/** What a side does with some moves, in words. @param {...string} moves */
export const plays = (...moves) => (String(moves) === PASS ? t('does.passes') : t('does.plays', { moves: together(moves) }));

/**
 * Explains in words what the values say about a move.
 * @param {string} side
 * @param {string} made
 * @param {Scored[]} moves the best first
 * @param {string} analyser the agent that found the values
 */
export function sentence(side, made, moves, analyser) {
  const name = (/** @type {string} */ move) => (move === PASS ? t('moves.a.pass') : move);
  const mine = moves.find(({ move }) => move === made);
  const others = moves.filter(({ move, value }) => move !== made && value !== null);
  if (!mine || mine.value === null) return t('why.none');
  const facts = { move: name(made), side, value: percent(mine.value) };
  const expects = moves.every(({ exact }) => exact) ? t('why.exact', facts) : t('why.agent', { agent: capital(analyser), ...facts });
  if (others.length === 0) return t('why.only', { expects });
  const gap = mine.value - Number(others[0].value);
  const next = { expects, move: name(others[0].move), points: points(Math.abs(gap)) };
  if (gap >= 0.0005) return t('why.more', next);
  return gap > -0.0005 ? t('why.same', next) : t('why.less', next);
}
