// The board of a room and its dice.

import { board } from '../../board.js';
import { dice } from '../../dice.js';
import { t, titleOf } from '../../language.js';
import { squares } from '../../moves.js';
import { rattle } from '../../sound.js';
import { rollNumber } from './state.js';

export class Table {
  board = board();
  dice = dice();
  #state;
  #arrangement;
  #choose;
  #refuse;
  #premove;
  #faces;

  /**
   * @param {import('./state.js').RoomState} state
   * @param {import('./arrangement.js').Arrangement} arrangement
   * @param {(moves: Move[]) => void} choose called with the moves between the two chosen squares
   * @param {(square: number) => void} refuse called with the square of a piece that may not move
   * @param {import('./premove.js').Premove} premove
   */
  constructor(state, arrangement, choose, refuse, premove) {
    this.#state = state;
    this.#arrangement = arrangement;
    this.#choose = choose;
    this.#refuse = refuse;
    this.#premove = premove;
    this.#faces = state.game.faces.map(({ roll }) => roll);
  }

  /** Shows the current board. @param {Move[]} moves the legal moves */
  show(moves) {
    this.board.classList.remove('earlier');
    if (this.#arrangement.goesOn) return this.arrange();
    const { game, room, flipped } = this.#state;
    this.board.show(room.scene.board, {
      label: t('board.label', { game: titleOf(game) }),
      sides: game.sides,
      flipped,
      moves,
      play: this.#choose,
      refuse: this.#refuse,
      eager: true,
      last: this.#state.lastMove(),
      ...this.#premove.options(),
    });
  }

  /** Shows this player's arrangement. */
  arrange() {
    const { game, flipped } = this.#state;
    const seen = this.#arrangement.seen();
    const free = this.#arrangement.isOurs;
    this.board.show(seen, {
      label: free ? t('play.arrange') : t('play.start'),
      sides: game.sides,
      flipped,
      drop: free ? (from, to) => Boolean(seen.squares[from].piece && seen.squares[to].piece) : undefined,
      put: (from, to) => {
        this.#arrangement.exchange(from, to);
        this.arrange();
      },
    });
  }

  /** Shows an earlier position, from which a press anywhere leads back. @param {() => void} back */
  showEarlier(back) {
    const { game, flipped, tree: { current: { scene, move } } } = this.#state;
    if (!scene) return;
    this.board.classList.add('earlier');
    this.board.show(scene.board, {
      label: t('board.earlier', { game: titleOf(game) }), sides: game.sides, flipped,
      last: move === null ? null : squares(scene.board, move),
      press: back,
    });
    void this.dice.show(scene.roll, this.#faces);
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
