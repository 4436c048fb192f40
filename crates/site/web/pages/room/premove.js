// A premove: a move that is given while the opponent is to move. The roll is not known then, so it is a piece and its
// target, and is played if the roll allows it; if not, it is dropped, and the player is told. Off until it is turned on.

import { storage } from '../../storage.js';

/** The key under which the choice to give moves ahead is stored. */
const KEPT = 'premove';

export class Premove {
  /** The squares of the move. @type {{ from: number, to: number } | null} */
  #given = null;
  #state;
  #draw;

  /** @param {import('./state.js').RoomState} state @param {() => void} draw redraws everything */
  constructor(state, draw) {
    this.#state = state;
    this.#draw = draw;
    this.on = storage.get(KEPT) === 'on';
  }

  /** Whether there can be any in this game: one side is played here, and somebody else plays the other. */
  get possible() {
    const { me, room: { end } } = this.#state;
    return me !== null && !end;
  }

  /** Whether a move is given. */
  get given() {
    return this.#given !== null;
  }

  toggle() {
    this.on = !this.on;
    storage.set(KEPT, this.on ? 'on' : 'off');
    this.cancel();
  }

  cancel() {
    this.#given = null;
    this.#draw();
  }

  /** What the board does while the opponent is to move. @returns {Partial<import('../../board.js').Options>} */
  options() {
    const { me, room: { scene, begun, end } } = this.#state;
    if (!this.on || me === null || scene.side === me || !begun || end) return {};
    const given = this.#given;
    return {
      quiet: true,
      drop: (from) => scene.board.squares[from].piece?.side === me,
      put: (from, to) => {
        this.#given = { from, to };
        this.#draw();
      },
      marks: given ? [{ ...given, value: null, best: true }] : [],
    };
  }

  /** The moves that were meant, now that the roll has fallen; none if it does not allow them. @returns {Move[] | null} null if no move was given */
  due() {
    const given = this.#given;
    const { mine, room: { scene } } = this.#state;
    if (!given || !mine || !scene.roll) return null;
    this.#given = null;
    return scene.moves.filter(({ from, to }) => from === given.from && to === given.to);
  }
}
