// The server's addresses.

/**
 * @param {Response} response
 * @returns {Promise<any>}
 */
async function answer(response) {
  const body = await response.json().catch(() => ({ error: `the server answered ${response.status}` }));
  if (!response.ok) throw new Error(body.error ?? `the server answered ${response.status}`);
  return body;
}

/** @param {string} path @returns {Promise<any>} */
export const get = async (path) => answer(await fetch(path));

/** @param {string} path @param {unknown} body @returns {Promise<any>} */
export const post = async (path, body) =>
  answer(
    await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );

/** @type {Promise<Site> | undefined} */
let known;

/** What the site offers. @returns {Promise<Site>} */
export function site() {
  known ??= get('/api/games').catch((error) => {
    known = undefined;
    throw error;
  });
  return /** @type {Promise<Site>} */ (known);
}

/** The game of this name, or the first. @param {string | null} name @returns {Promise<Game>} */
export async function game(name) {
  const { games } = await site();
  return games.find((known) => known.name === name) ?? games[0];
}

/**
 * A position, or the one after a move in it.
 * @param {string} game
 * @param {string} position
 * @param {string} [move]
 * @returns {Promise<Scene>}
 */
export const scene = (game, position, move) =>
  get(`/api/scene?${new URLSearchParams(move ? { game, position, move } : { game, position })}`);

/**
 * A socket that comes back when the line breaks, until it is closed. What was sent last is sent again
 * then, unless it is settled.
 * @param {string} path
 * @param {(message: any) => void} hear
 * @param {(open: boolean) => void} [state] is told when the line is there and when not
 */
export function listen(path, hear, state = () => {}) {
  let closed = false;
  let wait = 500;
  /** @type {WebSocket | undefined} */
  let socket;
  /** @type {string | undefined} What to send once the line is there: it may have been lost. */
  let due;
  const open = () => {
    const address = new URL(path, location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    socket = new WebSocket(address);
    socket.onopen = () => {
      wait = 500;
      state(true);
      if (due !== undefined) socket?.send(due);
    };
    socket.onmessage = (event) => {
      if (!closed) hear(JSON.parse(event.data));
    };
    socket.onclose = () => {
      if (closed) return;
      state(false);
      setTimeout(() => closed || open(), wait);
      wait = Math.min(2 * wait, 8000);
    };
  };
  open();
  return {
    /** @param {unknown} message */
    send(message) {
      due = JSON.stringify(message);
      if (socket?.readyState === WebSocket.OPEN) socket.send(due);
    },
    /** What was sent has been answered. */
    settle() {
      due = undefined;
    },
    close() {
      closed = true;
      socket?.close();
    },
  };
}

/** The token of a room of ours. @param {string} id */
export const token = (id) => localStorage.getItem(`room:${id}`);

/** The last rooms of ours are remembered. @param {string} id @param {string} token */
export function remember(id, token) {
  const names = [...Array(localStorage.length).keys()].map((n) => localStorage.key(n) ?? '');
  const rooms = names.filter((name) => name.startsWith('room:'));
  if (rooms.length > 200) localStorage.removeItem(rooms[0]);
  localStorage.setItem(`room:${id}`, token);
}
