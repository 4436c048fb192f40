// What is known of a room: what the server has said last, for whom this browser stands, and what
// the reader looks at. The parts of the page read it; it draws nothing and sends nothing.

import { isAbove } from '../../board.js';
import { squares } from '../../moves.js';

/** What ends a game, and is asked for again before it is done. @typedef {'resign' | 'abort'} Final */

export class RoomState {
  /** The step that is looked at again; null while the game is followed. @type {number | null} */
  past = null;
  /** What is done after a question. @type {Final | null} */
  asked = null;
  /** @type {Here | null} */
  here = null;
  /** When `here` was heard, as `performance.now` says. */
  heard = 0;
  /** The number of the roll that was last seen. */
  #seenRoll;

  /**
   * @param {Game} game
   * @param {Room} room
   * @param {string | null} key this browser's token
   */
  constructor(game, room, key) {
    this.game = game;
    this.room = room;
    this.key = key;
    /** The sides that people play. */
    this.people = [0, 1].filter((side) => room.players[side].kind === 'person');
    /** The sides for which this browser stands: where two people have a device each, the server says it. */
    this.held = this.people.filter(() => Boolean(key) && !room.apart);
    /** Whether the board is turned. */
    this.flipped = isAbove(game.start.board, this.people.length === 1 ? this.people[0] : 0);
    this.#seenRoll = room.steps.length ? rollNumber(room) : 0;
    /** Whether the dice are still tumbling: nobody is told what they will show. */
    this.tumbling = this.isFresh();
  }

  get id() {
    return this.room.id;
  }

  /** The side for which this browser stands, if it is one. @returns {number | null} */
  get me() {
    return this.held.length === 1 ? this.held[0] : null;
  }

  /** Whether one of ours is to move. */
  get mine() {
    const { scene, end } = this.room;
    return this.held.includes(scene.side) && !end && this.past === null;
  }

  /** Whether one person here plays against an agent. */
  get opposed() {
    return Boolean(this.key) && this.people.length === 1 && !this.room.apart;
  }

  /** Whether there is a roll that was not seen yet. */
  isFresh() {
    const { scene, begun, end } = this.room;
    return Boolean(scene.roll) && begun && !end && rollNumber(this.room) > this.#seenRoll;
  }

  /** Notes that the roll which lies there was seen. */
  see() {
    this.#seenRoll = Math.max(this.#seenRoll, rollNumber(this.room));
  }

  /** The move made last. */
  lastMove() {
    const { steps, scene } = this.room;
    const step = steps[steps.length - 1];
    return step ? squares(scene.board, step.move) : null;
  }

  /**
   * Notes who is there, and for whom this browser stands.
   * @param {Presence} message
   * @returns {boolean} whether it stands for others than before
   */
  meet({ here, you }) {
    this.here = here;
    this.heard = performance.now();
    if (!you) return false;
    const before = String(this.held);
    this.held = this.people.filter((side) => you[side]);
    if (this.me !== null && this.room.steps.length === 0) this.flipped = isAbove(this.game.start.board, this.me);
    return String(this.held) !== before;
  }
}

/** The number of the roll that lies there, or comes next. @param {Room} room */
export function rollNumber({ steps, rest }) {
  return steps.filter((step) => !step.rest).length + (rest ? 0 : 1);
}
