// The line to the server: views of the room come in, actions go out.

import { listen, salted } from '../../api.js';

/** @typedef {Record<string, unknown>} Action what the server is to do */

/**
 * @typedef {object} Hearing what is told of the line
 * @property {(room: Room) => Promise<void>} view shows a view; the next one waits for it
 * @property {(message: Presence) => void} presence is told who is there
 * @property {(error: string) => void} problem is told what was refused; nothing where a view has come
 * @property {(open: boolean) => void} connection
 */

export class Line {
  /** The version for which something was sent that is not answered yet. @type {number | null} */
  #sent = null;
  /** What was asked and answered with yes: it goes again if it has crossed a change of the other's. @type {import('./state.js').Final | null} */
  #sure = null;
  /** Views are shown one after the other, each when the one before has come to rest. */
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

  /** Every message says for which version it is made: sent twice, it does nothing the second time. @param {Action} action */
  act(action) {
    const { key, room } = this.#state;
    this.#sent = room.version;
    this.#socket.send({ token: key, version: room.version, ...action });
  }

  /** Does what was asked and answered with yes. @param {import('./state.js').Final | null} what */
  confirm(what) {
    this.#sure = what;
    this.prepare();
  }

  /** Says that we are ready, once for each game; what has crossed a change of the other's goes again. */
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
