// The promise that the dice of a room were fixed before the game.

import { keptDice } from '../../api.js';
import { fill, h } from '../../dom.js';
import { t } from '../../language.js';
import { isOwn } from '../../local.js';

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
  return h('details', { class: 'fairness' }, h('summary', {}, own ? t('fair.device') : t('fair.title')),
    h('p', { class: 'soft' }, t(own ? 'fair.own' : kept ? 'fair.ours' : 'fair.theirs')),
    h('dl', { class: 'facts' },
      h('dt', {}, t('fair.hash')), h('dd', {}, h('code', { class: 'hash' }, kept?.commitment ?? commitment)),
      ...(kept ? [h('dt', {}, t('fair.added')), h('dd', {}, h('code', { class: 'hash' }, kept.salt))] : [])));
}
