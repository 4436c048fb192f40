// The promise that the dice of a room were fixed before the game.

import { keptDice } from '../../api.js';
import { fill, h } from '../../dom.js';
import { isOwn } from '../../local.js';

/** The text about fair dice. */
const FIXED = 'Before the game the server chose a secret and showed its hash.';
const CHECKED = 'After the game the secret is shown, and everybody can check the dice.';
const OURS = `${FIXED} Then your browser added a text of its own, and it keeps both. All rolls follow from the secret and the text. ${CHECKED}`;
const THEIRS = `${FIXED} Then the players’ browsers added texts of their own. All rolls follow from the secret and these texts. ${CHECKED}`;
const HERE = `Before the game your own device chose a secret and showed its hash. All rolls follow from the secret. ${CHECKED} Nobody else can know how often you began anew.`;

export class Fairness {
  element = h('div', {});
  /** Whether the shown text includes the values that this browser keeps; null before it is shown. @type {boolean | null} */
  #shown = null;

  /** Redraws the text only when this browser has begun to keep values. @param {Room} room */
  show({ id, dice }) {
    const kept = keptDice(id);
    if (Boolean(kept) !== this.#shown) fill(this.element, dice.kind === 'fair' && promise(dice.commitment, kept, isOwn(id)));
    this.#shown = Boolean(kept);
  }
}

/** @param {string} commitment @param {ReturnType<typeof keptDice>} kept @param {boolean} own whether the dice are this device's */
function promise(commitment, kept, own) {
  return h('details', { class: 'fairness' }, h('summary', {}, own ? 'Dice of this device' : 'Fair dice'),
    h('p', { class: 'soft' }, own ? HERE : kept ? OURS : THEIRS),
    h('dl', { class: 'facts' },
      h('dt', {}, 'The hash'), h('dd', {}, h('code', { class: 'hash' }, kept?.commitment ?? commitment)),
      ...(kept ? [h('dt', {}, 'What your browser added'), h('dd', {}, h('code', { class: 'hash' }, kept.salt))] : [])));
}
