// The players: a card for each side, above and below the board, with its clock.

import { isAbove } from '../../board.js';
import { capital, fill, h } from '../../dom.js';
import { sideOf, t } from '../../language.js';
import { named, swatch } from '../shared.js';
import { presence } from './people.js';

/** A clock with less time, in milliseconds, is highlighted. */
const LOW = 20_000;
/** The time between updates of the clocks, in milliseconds. */
const TICK = 250;

/** A time as a clock shows it. @param {number} ms */
const minutes = (ms) => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;

export class Players {
  above = h('div', { class: 'player' });
  below = h('div', { class: 'player' });
  #state;
  #ticked = performance.now();
  #ticking = setInterval(() => this.#tick(), TICK);

  /** @param {import('./state.js').RoomState} state */
  constructor(state) {
    this.#state = state;
  }

  show() {
    for (const side of [0, 1]) this.#card(side);
  }

  /** @param {number} side */
  #card(side) {
    const { room, game, me, here, flipped, connected } = this.#state;
    const { clock, scene, end, begun, apart } = room;
    // The card of the side at the bottom of the board is below it.
    const card = isAbove(game.start.board, side) === flipped ? this.below : this.above;
    card.classList.toggle('turn', !end && begun && scene.side === side);
    fill(
      card,
      swatch(side),
      h('span', { class: 'player-name' }, capital(sideOf(game, side))),
      h('span', { class: 'soft who' }, me === side ? t('person.you') : apart ? presence(room, side, here) : named(game, room.players[side])),
      clock && h('time', { class: `clock${clock.left_ms[side] < LOW ? ' low' : ''}${connected ? '' : ' unknown'}`, 'data-side': String(side) }, minutes(clock.left_ms[side])),
    );
  }

  /** Counts the running clock down until the server sends its time again. */
  #tick() {
    const passed = performance.now() - this.#ticked;
    this.#ticked += passed;
    const { room: { clock }, connected } = this.#state;
    if (!clock || clock.running === null || !connected) return;
    const side = clock.running;
    clock.left_ms[side] = Math.max(0, clock.left_ms[side] - passed);
    const face = [this.above, this.below].map((card) => card.querySelector(`.clock[data-side="${side}"]`)).find(Boolean);
    if (!face) return;
    face.textContent = minutes(clock.left_ms[side]);
    face.classList.toggle('low', clock.left_ms[side] < LOW);
  }

  close() {
    clearInterval(this.#ticking);
  }
}
