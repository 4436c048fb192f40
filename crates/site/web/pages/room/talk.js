// What two players on two devices do besides moving: arranging pieces, proposals, claims and the invitation.

import { fill, h } from '../../dom.js';
import { t } from '../../language.js';
import { invitation, proposal, untilClaim } from './people.js';

/**
 * @typedef {object} Doing
 * @property {(action: import('./line.js').Action) => void} act
 * @property {() => void} arranged called when this player has arranged the pieces
 * @property {() => void} moved called when two pieces were exchanged
 * @property {() => void} wait called when a claim becomes possible
 */

export class Talk {
  element = h('div', { class: 'offers talk' });
  /** The invitation, until the invited player has joined. */
  inviting = h('div', {});
  #state;
  #arrangement;
  #doing;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #waiting;

  /**
   * @param {import('./state.js').RoomState} state
   * @param {import('./arrangement.js').Arrangement} arrangement
   * @param {Doing} doing
   */
  constructor(state, arrangement, doing) {
    this.#state = state;
    this.#arrangement = arrangement;
    this.#doing = doing;
  }

  show() {
    fill(this.element, ...this.#words());
  }

  /** @returns {Node[]} */
  #words() {
    const { room, game, me, here, heard, refused } = this.#state;
    if (!room.apart) return [];
    if (me === null) return [h('span', { class: 'soft' }, t(refused ? 'talk.used' : 'talk.watching'))];
    clearTimeout(this.#waiting);
    const left = untilClaim(room, me, here, heard);
    if (left) this.#waiting = setTimeout(this.#doing.wait, left + 50);
    if (left === 0 && !room.apart.offer) return this.#claims();
    if (this.#arrangement.isOurs) return this.#arranging();
    return proposal(room, game, me, this.#doing.act);
  }

  /** The claims against a player who is away. */
  #claims() {
    const claim = (/** @type {string} */ what, /** @type {string} */ text) =>
      h('button', { type: 'button', onclick: () => this.#doing.act({ do: 'claim', what }) }, text);
    return [h('span', { class: 'offer-title' }, t('talk.away')), claim('win', t('talk.win')), claim('draw', t('talk.draw'))];
  }

  #arranging() {
    const shuffle = () => {
      this.#arrangement.shuffle();
      this.#doing.moved();
    };
    const finish = () => {
      this.#arrangement.finish();
      this.#doing.arranged();
    };
    return [
      h('span', { class: 'offer-title' }, t('play.drag')),
      h('button', { type: 'button', onclick: shuffle }, t('play.shuffle')),
      h('button', { type: 'button', class: 'primary', onclick: finish }, t('talk.done')),
    ];
  }

  invite() {
    const { apart, end, id } = this.#state.room;
    const open = apart && apart.open !== null && !end;
    if (!open) fill(this.inviting);
    else if (!this.inviting.firstChild) fill(this.inviting, invitation(id, apart.listed));
  }

  close() {
    clearTimeout(this.#waiting);
  }
}
