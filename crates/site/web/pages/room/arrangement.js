// The set-up of one side while both players arrange their pieces without seeing the other's.

import { exchange, setupText, shuffleSide } from '../../setup.js';

export class Arrangement {
  /** The set-up that was sent to the server; empty before. */
  setup = '';
  /** @type {Board | null} */
  #board = null;
  #state;

  /** @param {import('./state.js').RoomState} state */
  constructor(state) {
    this.#state = state;
  }

  /** Whether players are arranging their pieces. */
  get goesOn() {
    const { apart, begun, end } = this.#state.room;
    return Boolean(apart?.arranged && !begun && !end);
  }

  /** Whether this player has to arrange pieces. */
  get isOurs() {
    const { room, me } = this.#state;
    return this.goesOn && me !== null && !room.apart?.arranged?.[me] && !this.setup;
  }

  /** The board with this player's arrangement, and the other side's pieces in their first order. */
  #pieces() {
    this.#board ??= structuredClone(this.#state.room.scene.board);
    return this.#board;
  }

  /**
   * The board without the other side's pieces. A page that was loaded after its player's set-up was sent does not know
   * it, because the server keeps it secret, and shows no pieces.
   */
  seen() {
    const board = structuredClone(this.#pieces());
    const known = this.isOurs || this.setup;
    for (const square of board.squares) if (!known || square.piece?.side !== this.#state.me) delete square.piece;
    return board;
  }

  /** @param {number} from @param {number} to */
  exchange(from, to) {
    exchange(this.#pieces(), from, to);
  }

  shuffle() {
    if (this.#state.me !== null) shuffleSide(this.#pieces(), this.#state.me);
  }

  /** Saves the arrangement. */
  finish() {
    const { game, me } = this.#state;
    if (me !== null) this.setup = setupText(game, me, this.#pieces());
  }
}
