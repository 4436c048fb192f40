// Moves as squares of the board, and moves and rolls in words.

import { capital, percent } from './dom.js';

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

/** The kinds of pieces of chess, by letter. @type {Record<string, string>} */
const KINDS = { P: 'pawn', N: 'knight', B: 'bishop', R: 'rook', Q: 'queen', K: 'king' };

/** The kind of a letter, if it has one. @param {string} letter */
export const kind = (letter) => KINDS[letter.toUpperCase()];

/** A roll in words. @param {string} roll */
export function spoken(roll) {
  const words = [...roll].map(kind);
  return words.every(Boolean) ? words.join(', ') : `a ${roll}`;
}

/** The text of a pass. */
export const PASS = '0000';

/** How many moves there are. @param {number} count */
export const moveCount = (count) => `${count} move${count === 1 ? '' : 's'}`;

/** A move that is not given by two squares, in words. @param {string} text */
export const unsquared = (text) => (text === PASS ? 'pass' : text);

/** What a side does with some moves, in words. @param {...string} moves */
export const plays = (...moves) => (String(moves) === PASS ? 'passes' : `plays ${moves.map(unsquared).join(', ')}`);

/**
 * Explains in words what the values say about a move.
 * @param {string} side
 * @param {string} made
 * @param {Scored[]} moves the best first
 * @param {string} analyser the agent that found the values
 */
export function sentence(side, made, moves, analyser) {
  const name = (/** @type {string} */ move) => (move === PASS ? 'a pass' : move);
  const mine = moves.find(({ move }) => move === made);
  const others = moves.filter(({ move, value }) => move !== made && value !== null);
  if (!mine || mine.value === null) return 'There is no value for this move.';
  const opinion = moves.every(({ exact }) => exact) ? 'With' : `${capital(analyser)} thinks: with`;
  const expects = `${opinion} ${name(made)} ${side} expects ${percent(mine.value)}`;
  if (others.length === 0) return `${expects}; there was no other move.`;
  const gap = mine.value - Number(others[0].value);
  const points = `${Math.abs(100 * gap).toFixed(1)} points`;
  if (gap >= 0.0005) return `${expects}, ${points} more than with the next best move, ${name(others[0].move)}.`;
  if (gap > -0.0005) return `${expects}, as much as with ${name(others[0].move)}.`;
  return `${expects}; ${name(others[0].move)} would have been ${points} better.`;
}
