// The promise that the dice of a room were fixed before the game.

import { keptDice } from '../../api.js';
import { fill, h } from '../../dom.js';

/** The text about fair dice. */
const FIXED = 'All rolls were fixed before the game, by a secret with this hash';
const CHECKED = 'After the game the secret is shown and can be checked.';
const OURS = `${FIXED}, and a text that your browser added. It keeps both. ${CHECKED}`;
const THEIRS = `${FIXED} and what the players’ browsers added. ${CHECKED}`;

export class Fairness {
  element = h('div', {});
  /** Whether the shown text includes the values that this browser keeps; null before it is shown. @type {boolean | null} */
  #shown = null;

  /** Redraws the text only when this browser has begun to keep values. @param {Room} room */
  show({ id, dice }) {
    const kept = keptDice(id);
    if (Boolean(kept) !== this.#shown) fill(this.element, dice.kind === 'fair' && promise(dice.commitment, kept));
    this.#shown = Boolean(kept);
  }
}

/** @param {string} commitment @param {ReturnType<typeof keptDice>} kept */
function promise(commitment, kept) {
  return h('details', { class: 'fairness' }, h('summary', {}, 'Fair dice'),
    h('p', { class: 'soft' }, kept ? OURS : THEIRS),
    h('dl', { class: 'facts' },
      h('dt', {}, 'The hash'), h('dd', {}, h('code', { class: 'hash' }, kept?.commitment ?? commitment)),
      ...(kept ? [h('dt', {}, 'What your browser added'), h('dd', {}, h('code', { class: 'hash' }, kept.salt))] : [])));
}
