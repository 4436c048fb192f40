// The pieces of one side as they are arranged, while both do: nobody sees those of the other.

import { exchange, setupText, shuffleSide } from '../../setup.js';

export class Arrangement {
  /** What was chosen, as the server is told it; empty before. */
  setup = '';
  /** @type {Board | null} */
  #board = null;
  #state;

  /** @param {import('./state.js').RoomState} state */
  constructor(state) {
    this.#state = state;
  }

  /** Whether pieces are arranged now, by whomever. */
  get goesOn() {
    const { apart, begun, end } = this.#state.room;
    return Boolean(apart?.arranged && !begun && !end);
  }

  /** Whether our pieces are to be arranged. */
  get isOurs() {
    const { room, me } = this.#state;
    return this.goesOn && me !== null && !room.apart?.arranged?.[me] && !this.setup;
  }

  /** All pieces, those of the other as they stand at first. */
  #pieces() {
    this.#board ??= structuredClone(this.#state.room.scene.board);
    return this.#board;
  }

  /** The board as we may see it. */
  seen() {
    const board = structuredClone(this.#pieces());
    for (const square of board.squares) if (square.piece?.side !== this.#state.me) delete square.piece;
    return board;
  }

  /** @param {number} from @param {number} to */
  exchange(from, to) {
    exchange(this.#pieces(), from, to);
  }

  shuffle() {
    if (this.#state.me !== null) shuffleSide(this.#pieces(), this.#state.me);
  }

  /** Keeps what is arranged. */
  finish() {
    const { game, me } = this.#state;
    if (me !== null) this.setup = setupText(game, me, this.#pieces());
  }
}
