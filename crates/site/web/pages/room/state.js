// The state of a room: the last view from the server, the sides that this browser plays, and the position that the
// reader is looking at. The parts of the page read it; it neither draws nor sends anything.

import { isAbove } from '../../board.js';
import { squares } from '../../moves.js';
import { GameTree } from '../../tree.js';

/** The actions that end a game and need a confirmation. @typedef {'resign' | 'abort'} Final */

export class RoomState {
  /** The action that waits for its confirmation. @type {Final | null} */
  asked = null;
  /** Whether this browser came by an invitation that somebody else had used. */
  refused = false;
  /** Whether the server can be reached, without which nobody knows what the clocks show. */
  connected = true;
  /** @type {Here | null} */
  here = null;
  /** The value of `performance.now` when `here` was received. */
  heard = 0;
  /** The number of the last roll whose animation was shown. */
  #seenRoll;

  /**
   * @param {Game} game
   * @param {Room} room
   * @param {string | null} key this browser's token
   * @param {boolean} live whether a game that is going on may be analysed here
   */
  constructor(game, room, key, live) {
    this.game = game;
    this.room = room;
    this.key = key;
    this.live = live;
    /** The positions of the game, of which the reader looks at one. */
    this.tree = new GameTree(room.scene);
    this.take(room);
    /** The sides that people play. */
    this.people = [0, 1].filter((side) => room.players[side].kind === 'person');
    /** The sides that this browser plays. With two devices, the server decides it. */
    this.held = this.people.filter(() => Boolean(key) && !room.apart);
    /** Whether the board is flipped. */
    this.flipped = isAbove(game.start.board, this.people.length === 1 ? this.people[0] : 0);
    this.#seenRoll = room.steps.length ? rollNumber(room) : 0;
    /** Whether the dice are still tumbling. Until they rest, the roll is not announced. */
    this.tumbling = this.isFresh();
  }

  get id() {
    return this.room.id;
  }

  /** The side that this browser plays, if it is only one. @returns {number | null} */
  get me() {
    return this.held.length === 1 ? this.held[0] : null;
  }

  /** Takes a view of the room. @param {Room} room */
  take(room) {
    this.room = room;
    this.tree.follow(room.steps.map((step) => ({ ...step, rest: Boolean(step.rest) })), room.scene);
  }

  /** Whether the reader looks at an earlier position. */
  get earlier() {
    return this.tree.current !== this.tree.last;
  }

  /** Whether a person at this browser is to move. */
  get mine() {
    const { scene, end } = this.room;
    return this.held.includes(scene.side) && !end && !this.earlier;
  }

  /** Whether an engine may be asked: not while two people play on two devices, nor where the site forbids it. */
  get fair() {
    const { apart, end } = this.room;
    return Boolean(end) || (this.live && !apart);
  }

  /** Whether people roll the dice and type them in. */
  get typed() {
    return this.room.dice.kind === 'typed';
  }

  /** The pass of a side that cannot move with its roll. @returns {Move | null} */
  get pass() {
    const { moves } = this.room.scene;
    return moves.length === 1 && moves[0].from === null ? moves[0] : null;
  }

  /** Whether a person plays against an agent. */
  get opposed() {
    return Boolean(this.key) && this.people.length === 1 && !this.room.apart;
  }

  /** Whether there is a roll whose animation was not shown yet. */
  isFresh() {
    const { scene, begun, end } = this.room;
    return Boolean(scene.roll) && begun && !end && rollNumber(this.room) > this.#seenRoll;
  }

  /** Notes that the current roll was shown. */
  see() {
    this.#seenRoll = Math.max(this.#seenRoll, rollNumber(this.room));
  }

  /** The last move. */
  lastMove() {
    const { steps, scene } = this.room;
    const step = steps[steps.length - 1];
    return step ? squares(scene.board, step.move) : null;
  }

  /**
   * Notes who is present, and which sides this browser plays.
   * @param {Presence} message
   * @returns {boolean} whether it plays other sides than before
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

/** The number of the current roll, or of the next one. @param {Room} room */
export function rollNumber({ steps, rest }) {
  return steps.filter((step) => !step.rest).length + (rest ? 0 : 1);
}
