// The board of a room and its dice.

import { board } from '../../board.js';
import { dice } from '../../dice.js';
import { rattle } from '../../sound.js';
import { rollNumber } from './state.js';

export class Table {
  board = board();
  dice = dice();
  #state;
  #arrangement;
  #choose;
  #refuse;
  #faces;

  /**
   * @param {import('./state.js').RoomState} state
   * @param {import('./arrangement.js').Arrangement} arrangement
   * @param {(moves: Move[]) => void} choose called with the moves between the two chosen squares
   * @param {(square: number) => void} refuse called with the square of a piece that may not move
   */
  constructor(state, arrangement, choose, refuse) {
    this.#state = state;
    this.#arrangement = arrangement;
    this.#choose = choose;
    this.#refuse = refuse;
    this.#faces = state.game.faces.map(({ roll }) => roll);
  }

  /** Shows the current board. @param {Move[]} moves the legal moves */
  show(moves) {
    if (this.#arrangement.goesOn) return this.arrange();
    const { game, room, flipped } = this.#state;
    this.board.show(room.scene.board, {
      label: `${game.title}, the board`,
      sides: game.sides,
      flipped,
      moves,
      play: this.#choose,
      refuse: this.#refuse,
      eager: true,
      last: this.#state.lastMove(),
    });
  }

  /** Shows this player's arrangement. */
  arrange() {
    const { game, flipped } = this.#state;
    const seen = this.#arrangement.seen();
    const free = this.#arrangement.isOurs;
    this.board.show(seen, {
      label: free ? 'Set-up: choose a piece, then one to exchange it with' : 'The board at the start',
      sides: game.sides,
      flipped,
      drop: free ? (from, to) => Boolean(seen.squares[from].piece && seen.squares[to].piece) : undefined,
      put: (from, to) => {
        this.#arrangement.exchange(from, to);
        this.arrange();
      },
    });
  }

  /** Shows the position before a step, with the move. @param {ShownStep} step @param {number} number @param {Scene} scene */
  showPast(step, number, scene) {
    const { game, flipped } = this.#state;
    const move = scene.moves.find(({ text }) => text === step.move) ?? null;
    this.board.show(scene.board, {
      label: `${game.title}, before move ${number + 1}`, sides: game.sides, flipped,
      marks: move ? [{ from: move.from, to: move.to, value: null, best: true }] : [],
    });
    void this.dice.show(step.roll, this.#faces);
  }

  /** Shows the dice, tumbling if they are new. @returns {Promise<void>} resolves when they are at rest */
  roll() {
    const { room } = this.#state;
    const idle = room.end !== null || !room.begun;
    const roll = idle ? null : fallen(room);
    const fresh = this.#state.isFresh();
    if (fresh) rattle();
    this.#state.see();
    return this.dice.show(roll, this.#faces, fresh ? `${rollNumber(room)} ${roll}` : '', idle ? null : room.scene.roll);
  }
}

/** The whole roll; the scene has what is left of it. @param {Room} room */
function fallen({ scene, steps, rest }) {
  return rest ? (steps.findLast((step) => !step.rest)?.roll ?? scene.roll) : scene.roll;
}
