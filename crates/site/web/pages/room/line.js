// The connection to the server: it receives views of the room and sends actions.

import { listen, salted } from '../../api.js';

/** @typedef {Record<string, unknown>} Action what the server is to do */

/**
 * @typedef {object} Hearing what is told of the line
 * @property {(room: Room) => Promise<void>} view shows a view; the next one waits for it
 * @property {(message: Presence) => void} presence called with the players who are present
 * @property {(error: string) => void} problem called with the error of a refused action; with an empty text after a view
 * @property {(open: boolean) => void} connection
 */

export class Line {
  /** The version of an action that has not been answered. @type {number | null} */
  #sent = null;
  /** A confirmed action, which is sent again if the other player changed the room at the same time. @type {import('./state.js').Final | null} */
  #sure = null;
  /** Views are shown one after the other, each when the animation of the previous one has ended. */
  #shown = Promise.resolve();
  #state;
  #arrangement;
  #socket;

  /**
   * @param {import('./state.js').RoomState} state
   * @param {import('./arrangement.js').Arrangement} arrangement
   * @param {Hearing} hearing
   */
  constructor(state, arrangement, hearing) {
    this.#state = state;
    this.#arrangement = arrangement;
    this.#socket = listen(
      `/api/rooms/${state.id}/live`,
      (message) => this.#hear(message, hearing),
      hearing.connection,
      () => state.room.apart && { do: 'enter', token: state.key ?? '' },
    );
  }

  /** @param {any} message @param {Hearing} hearing */
  #hear(message, hearing) {
    if (message.here) return hearing.presence(message);
    if (message.error || message.version !== this.#sent) {
      this.#socket.settle();
      this.#sent = null;
    }
    if (message.error) this.#sure = null;
    hearing.problem(message.error ?? '');
    if (message.error) return;
    this.#shown = this.#shown.then(() => hearing.view(message)).then(() => this.prepare()).catch(() => {});
  }

  /** Sends an action with the version of the room, so that a repeated message has no effect. @param {Action} action */
  act(action) {
    const { key, room } = this.#state;
    this.#sent = room.version;
    this.#socket.send({ token: key, version: room.version, ...action });
  }

  /** Carries out a confirmed action. @param {import('./state.js').Final | null} what */
  confirm(what) {
    this.#sure = what;
    this.prepare();
  }

  /** Says that this player is ready, once for each game, and repeats it if the other changed the room meanwhile. */
  prepare() {
    const { room, held, me, id } = this.#state;
    if (room.end || held.length === 0 || this.#sent === room.version) return;
    if (this.#sure) return this.act({ do: this.#sure });
    if (room.begun) return;
    const own = me ?? 0;
    if (!room.apart?.ready[own]) return this.act({ do: 'begin', salt: salted(id, room.dice) });
    const { setup } = this.#arrangement;
    if (setup && room.apart.arranged && !room.apart.arranged[own]) this.act({ do: 'arrange', setup });
  }

  close() {
    this.#socket.close();
  }
}
