// The question which of several moves between the same squares is meant: what a pawn becomes.

import { inline } from './dice.js';
import { capital, h } from './dom.js';
import { t } from './language.js';
import { kind } from './moves.js';

/**
 * The question with a button for each move.
 * @param {Move[]} moves
 * @param {(move: string) => void} play
 */
export function whichMove(moves, play) {
  const choice = (/** @type {Move} */ { text }) => {
    const letter = text.slice(-1);
    const name = kind(letter);
    return h('button', { type: 'button', onclick: () => play(text) }, ...(name ? [inline(letter), capital(name)] : [text]));
  };
  return [h('span', { class: 'offer-title' }, t('become.ask')), ...moves.map(choice)];
}
