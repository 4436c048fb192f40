// What this device does of a site's work: rooms at one device, reviews, puzzles and positions. The requests are those
// to a server, and so are the answers; `api.js` asks here first.

import { able, alone, ask, isQuick, stream, watch } from './device.js';
import { t } from './language.js';
import { storage } from './storage.js';

/** The beginning of the names of rooms at this device, and of the keys of their records. */
const [OWN, KEPT] = ['own-', 'own:'];

/** Whether a room is at this device. @param {string} id */
export const isOwn = (id) => id.startsWith(OWN);

/** Forgets the record of a room. @param {string} id */
export const forgetOwn = (id) => storage.remove(KEPT + id);

/** Saves the record of a room as a file. @param {string} id */
export async function saveOwn(id) {
  const record = await ask('shown', id, storage.get(KEPT + id));
  const href = URL.createObjectURL(new Blob([JSON.stringify(record)], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href, download: `wurfel-${id}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(href));
}

/** Who follows which room. @type {Map<string, Set<(message: any) => void>>} */
const followers = new Map();
/** What happens next in a room: an agent's move or the end of a clock. @type {Map<string, ReturnType<typeof setTimeout>>} */
const due = new Map();

/**
 * Asks about a room, keeps its record, and tells whoever follows it.
 * @param {string} name
 * @param {string} id
 * @param {...unknown} args
 */
async function inRoom(name, id, ...args) {
  const record = storage.get(KEPT + id);
  if (record === null) throw Object.assign(new Error(t('device.game')), { status: 404 });
  return keep(id, await ask(name, id, record, ...args), record);
}

/** @param {string} id @param {any} told @param {string} [before] the record until now */
function keep(id, told, before) {
  if (told.record !== before) storage.set(KEPT + id, told.record);
  for (const hear of followers.get(id) ?? []) hear(told.view);
  goOn(id, told);
  return told.view;
}

/** Lets the agent to move think, or the clock run down. @param {string} id @param {{ pace?: number, flag?: number }} told */
function goOn(id, { pace, flag }) {
  clearTimeout(due.get(id));
  const wait = pace ?? flag;
  if (wait === undefined || !followers.get(id)?.size) return;
  const next = () => inRoom(pace === undefined ? 'flag' : 'think', id).catch((error) => {
    for (const hear of followers.get(id) ?? []) hear({ error: error.message });
  });
  due.set(id, setTimeout(() => void next(), wait));
}

/** @param {any} request */
async function open(request) {
  const id = `${OWN}${crypto.getRandomValues(new Uint32Array(2)).join('')}`;
  return { ...keep(id, await ask('open', id, request)), token: OWN };
}

/** Whether a game can be played on this device: it needs nobody elsewhere and no external engine. @param {any} request @param {Site} site */
function isPlayable({ game, players, guest }, site) {
  const engines = site.games.find(({ name }) => name === game)?.engines ?? [];
  return guest === undefined && !players.some((/** @type {any} */ { spec }) => engines.includes(spec));
}

/**
 * What this device can say to a request; null where it is for a server.
 * @param {string} path
 * @param {any} [body]
 * @param {() => Promise<Site>} [site]
 * @param {(progress: any) => void} [see] gets the progress of a review
 * @returns {(() => Promise<any>) | null}
 */
function own(path, body, site, see) {
  const { pathname, searchParams } = new URL(path, location.origin);
  const [, , what, one = '', two = ''] = pathname.split('/').map(decodeURIComponent);
  if (what === 'scene' && isQuick()) return position(searchParams);
  if (what === 'puzzles') return () => ask('puzzle', one, Number(two));
  if (what === 'review' && body) return () => watch(see, one === 'games' ? 'list' : 'review', body);
  if (what === 'rooms' && isOwn(one)) {
    if (two === 'record') return () => ask('shown', one, storage.get(KEPT + one));
    if (!body) return () => inRoom('look', one);
    const { token: _, version, ...action } = body;
    return () => inRoom('act', one, version, action);
  }
  if (what === 'rooms' && !one && body && site) {
    return async () => {
      if (!isPlayable(body, await site())) throw Object.assign(new Error(t('device.server')), { unloaded: true });
      return open(body);
    };
  }
  return null;
}

/** What this device says where no server can be reached. @param {string} path @returns {(() => Promise<any>) | null} */
function instead(path) {
  const { pathname, searchParams: query } = new URL(path, location.origin);
  if (pathname === '/api/games') return () => ask('games');
  return pathname === '/api/scene' ? position(query) : null;
}

/** A position, or the one after a move in it. @param {URLSearchParams} query */
function position(query) {
  const { drop_castling: drop, ...asked } = Object.fromEntries(query);
  return () => ask('scene', { ...asked, drop_castling: drop === 'true' });
}

/**
 * An answer, from this device if it has one and else from the server.
 * @param {string} path
 * @param {any} body
 * @param {() => Promise<any>} server
 * @param {() => Promise<Site>} site
 * @param {(progress: any) => void} [see] gets the progress of a review on this device
 * @returns {Promise<any>}
 */
export async function answer(path, body, server, site, see) {
  if (!able) return server();
  const here = own(path, body, site, see);
  if (here) {
    try {
      return await here();
    } catch (error) {
      if (!(/** @type {any} */ (error).unloaded) || alone) throw error;
      return server();
    }
  }
  const spare = body ? null : instead(path);
  if (spare && alone) return spare();
  try {
    return await server();
  } catch (error) {
    if (!spare || !(/** @type {any} */ (error).unreachable)) throw error;
    return spare();
  }
}

/**
 * What is heard of a room at this device, or of a search on it; null where that is for a server.
 * @param {string} path
 * @param {(message: any) => void} hear
 * @param {(question: any) => void} refuse is given a question that has no answer here
 */
export function listenHere(path, hear, refuse) {
  if (!able) return null;
  if (path === '/api/analyse' || path === '/api/rollout') return stream(path, hear, alone ? () => hear({ error: t('device.engine') }) : refuse);
  const id = path.split('/')[3] ?? '';
  return isOwn(id) ? follow(id, hear) : null;
}

/** @param {string} id @param {(message: any) => void} hear */
function follow(id, hear) {
  const all = followers.get(id) ?? new Set();
  followers.set(id, all.add(hear));
  const fail = (/** @type {Error} */ { message }) => hear({ error: message });
  inRoom('look', id).catch(fail);
  return {
    /** @param {any} message */
    send({ token: _, version, ...action }) {
      inRoom('act', id, version, action).catch(fail);
    },
    settle() {},
    close() {
      all.delete(hear);
      if (all.size) return;
      clearTimeout(due.get(id));
      followers.delete(id);
      due.delete(id);
    },
  };
}
