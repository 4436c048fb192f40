// Requests to the server, or to what this device does itself, and the socket of a room.

import { alone } from './device.js';
import { language, t, titleOf } from './language.js';
import { answer as from, forgetOwn, listenHere } from './local.js';
import { file } from './place.js';
import { storage } from './storage.js';

/**
 * An error in words, with the time after which to try again if the server or a proxy names one.
 * @param {Response} response
 * @param {string | undefined} error the error in the server's answer
 */
function refusal({ status, headers }, error) {
  const seconds = Number(headers.get('retry-after'));
  // What the server says is English. Where it asks to wait, other languages have words of their own.
  const own = error && language !== 'en' && (status === 429 ? t('error.many') : status === 503 && t('error.busy'));
  const words = own || (error ?? t('error.answer', { status: String(status) }));
  return seconds > 0 ? t('error.wait', { error: words.replace(/, try again .*/, ''), count: seconds }) : words;
}

/** After how many seconds to ask again a server that is busy and does not say for how long. */
const USUAL_WAIT = 3;

/**
 * @param {Response} response
 * @returns {Promise<any>} an error has the status, and what is refused for now the seconds to wait
 */
async function answer(response) {
  const body = await response.json().catch(() => undefined);
  if (!response.ok || body === undefined) {
    const { status, headers } = response;
    const wait = status === 429 || status === 503 ? Number(headers.get('retry-after')) || USUAL_WAIT : undefined;
    throw Object.assign(new Error(refusal(response, body?.error)), { status, wait });
  }
  return body;
}

/** The error when no answer comes. */
export const unreachable = () => Object.assign(new Error(t('error.away')), { unreachable: true });

/** @param {string} path @param {RequestInit} [request] */
function ask(path, request) {
  return fetch(path, request).catch(() => {
    throw unreachable();
  });
}

/** @param {string} path @param {RequestInit} [request] @returns {Promise<any>} */
async function server(path, request) {
  if (alone) throw Object.assign(new Error(t('error.serverless')), { status: 404 });
  return answer(await ask(path, request));
}

/** @param {string} path @returns {Promise<any>} */
export const get = (path) => from(path, undefined, () => server(path), site);

/** @param {string} path @param {unknown} body @param {(progress: any) => void} [see] gets the progress of a review on this device @returns {Promise<any>} */
export const post = (path, body, see) =>
  from(path, body, () => server(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }), site, see);

/** @type {Promise<Site> | undefined} */
let known;

/** What the site offers, which is one of the page's files: a browser that has them asks for nothing. @returns {Promise<Site>} */
export function site() {
  known ??= from('/api/games', undefined, () => server(file('games.json')), site).catch((error) => {
    known = undefined;
    throw error;
  });
  return /** @type {Promise<Site>} */ (known);
}

/** The game of this name, or the first without one. @param {string | null} name @returns {Promise<Game>} */
export async function game(name) {
  const { games } = await site();
  const found = name === null ? games[0] : games.find((known) => known.name === name);
  if (found) return found;
  throw new Error(t('error.game', { name: String(name), games: games.map((known) => `${titleOf(known)} (${known.name})`).join(', ') }));
}

/**
 * A position, or the one after a move in it.
 * @param {string} game
 * @param {string} position
 * @param {string} [move]
 * @param {boolean} [drop] whether castling rights that the board rules out are dropped and not refused
 * @returns {Promise<Scene>}
 */
export function scene(game, position, move, drop) {
  const query = new URLSearchParams({ game, position });
  if (move) query.set('move', move);
  if (drop) query.set('drop_castling', 'true');
  return get(`/api/scene?${query}`);
}

/**
 * What is heard from an address, from this device where it can answer and else from the server.
 * @param {string} path
 * @param {(message: any) => void} hear
 * @param {(open: boolean) => void} [state] called when the connection opens or breaks
 * @param {() => unknown} [hello] the first message on every connection
 */
export function listen(path, hear, state, hello) {
  /** @type {ReturnType<typeof connect> | undefined} */
  let socket;
  const own = listenHere(path, hear, (question) => (socket ??= connect(path, hear, state, hello)).send(question));
  if (!own) return connect(path, hear, state, hello);
  return {
    ...own,
    close() {
      own.close();
      socket?.close();
    },
  };
}

/**
 * A socket that comes back when the line breaks, until it is closed. What was sent last is sent again
 * then, unless it is settled.
 * @param {string} path
 * @param {(message: any) => void} hear
 * @param {(open: boolean) => void} [state] called when the connection opens or breaks
 * @param {() => unknown} [hello] the first message on every connection
 */
function connect(path, hear, state = () => {}, hello = () => null) {
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
      const first = hello();
      if (first) socket?.send(JSON.stringify(first));
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
    /** Forgets the last message, because it has been answered. */
    settle() {
      due = undefined;
    },
    close() {
      closed = true;
      socket?.close();
    },
  };
}

/** This browser's token for a room. @param {string} id */
export const token = (id) => storage.get(`room:${id}`);

/** A random text that cannot be guessed. */
export const secret = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Forgets the token of a room. @param {string} id */
export function forget(id) {
  storage.remove(`room:${id}`);
  forgetOwn(id);
  settled([id]);
}

/** The commitment and the salt from before a game that this browser began. @param {string} id @returns {{ commitment: string, salt: string } | null} */
export const keptDice = (id) => storage.json(`dice:${id}`);

/**
 * A text for the dice of a game, kept with their commitment before it begins.
 * @param {string} id
 * @param {Dice} dice
 */
export function salted(id, dice) {
  const known = keptDice(id);
  if (known) return known.salt;
  const salt = secret();
  if (dice.kind === 'fair') storage.set(`dice:${id}`, JSON.stringify({ commitment: dice.commitment, salt }));
  return salt;
}

/** The key of the list of rooms whose games may go on, as far as this browser knows. */
const GOING = 'going';
/** How many tokens are kept. */
const MAX_ROOMS = 200;

/** The rooms whose tokens this browser has. */
const rooms = () => storage.keys().filter((name) => name.startsWith('room:')).map((name) => name.slice(5));

/** The rooms of this browser whose games may go on, the last visited first. @returns {string[]} */
export const going = () => storage.json(GOING) ?? rooms();

/** Notes that the games of rooms do not go on. @param {string[]} ids */
export function settled(ids) {
  storage.set(GOING, JSON.stringify(going().filter((id) => !ids.includes(id))));
}

/** Remembers the token of a room that is visited, for the last rooms only. @param {string} id @param {string} token */
export function remember(id, token) {
  const others = going().filter((other) => other !== id);
  const known = rooms();
  if (known.length > MAX_ROOMS) {
    // Games that are over are forgotten first.
    const old = known.find((other) => other !== id && !others.includes(other)) ?? others.pop();
    for (const kind of ['room', 'dice', 'invitation', 'code', 'own']) storage.remove(`${kind}:${old}`);
  }
  storage.set(GOING, JSON.stringify([id, ...others]));
  storage.set(`room:${id}`, token);
}
