// Two players on two devices: the invitation, who is present, and proposals.

import { forget, get, post, remember, secret } from '../../api.js';
import { capital, fill, h, s } from '../../dom.js';
import { storage } from '../../storage.js';
import { copy } from '../shared.js';

/** The names under which a server can be reached from its own machine only. */
const LOCAL = /^(localhost|127\.|\[?::1)/;
/** How many times joining is tried while the room changes. */
const TRIES = 5;

/**
 * Joins the game of a room, if its address has an invitation.
 * @param {Room} room
 * @returns {Promise<'joined' | 'refused' | 'not asked'>} 'refused' when somebody else has used the invitation
 */
export async function takeSide(room) {
  if (!room.apart) return 'not asked';
  const invitation = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  if (!invitation) return 'not asked';
  // The token is stored before it is sent, so that a lost answer does not lose the place in the game.
  const token = secret();
  remember(room.id, token);
  let { version } = room;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    try {
      await post(`/api/rooms/${room.id}`, { token, version, do: 'join', invitation });
      return 'joined';
    } catch (error) {
      if (/** @type {any} */ (error).status !== 409) break;
      ({ version } = await get(`/api/rooms/${room.id}`));
    }
  }
  forget(room.id);
  return 'refused';
}

/** The secret in the invitation to a room that this browser opened. @param {string} id */
const invitationTo = (id) => storage.get(`invitation:${id}`);

/**
 * The invitation for the other player: an address, and a QR code of it.
 * @param {string} id
 */
export function invitation(id) {
  const known = invitationTo(id);
  if (!known) return null;
  const address = `${location.origin}/room/${id}#${known}`;
  const field = h('input', { type: 'text', readOnly: true, value: address, 'aria-label': 'Invitation', onfocus: () => field.select() });
  const told = h('span', { class: 'soft', role: 'status' });
  const take = async () => {
    told.textContent = (await copy(field)) ? 'Copied.' : 'Copy what is selected.';
  };
  const picture = h('div', { class: 'qr' });
  void post('/api/qr', { text: address }).then(({ size, path }) =>
    fill(picture, s('svg', { viewBox: `-4 -4 ${size + 8} ${size + 8}`, role: 'img', 'aria-label': 'The invitation as a QR code', 'shape-rendering': 'crispEdges' },
      s('rect', { x: -4, y: -4, width: size + 8, height: size + 8, fill: '#fff' }), s('path', { d: path, fill: '#000' })))).catch(() => {});
  return h('section', { class: 'invitation' },
    h('h2', {}, 'Invite the other player'),
    h('p', { class: 'soft' }, 'Whoever opens this address first takes the other side; all others watch.'),
    LOCAL.test(location.hostname) && h('p', { class: 'note' }, 'Only this computer can open the address. For other devices in your network, start the server with ', h('code', {}, 'wurfel serve --host 0.0.0.0'), ' and open the site under this computer’s name or address.'),
    h('div', { class: 'copying' }, field, h('button', { type: 'button', onclick: () => void take() }, 'Copy')), told, picture);
}

/**
 * Whether a player is present, in a word.
 * @param {Room} room
 * @param {number} side
 * @param {Here | null} here
 */
export function presence(room, side, here) {
  if (room.apart?.open === side) return 'not here yet';
  if (!here) return 'Player';
  return here.sides[side] > 0 ? 'online' : 'away';
}

/**
 * The proposal of one player to the other.
 * @param {Room} room
 * @param {Game} game
 * @param {number} me
 * @param {(action: Record<string, unknown>) => void} act
 */
export function proposal(room, game, me, act) {
  const offer = room.apart?.offer;
  if (!offer) return [];
  const what = offer.what === 'rematch' ? 'a rematch with changed sides' : 'to take back their last move';
  const button = (/** @type {string} */ text, /** @type {string} */ action, primary = false) =>
    h('button', { type: 'button', class: primary ? 'primary' : undefined, onclick: () => act({ do: action }) }, text);
  if (offer.side === me) {
    const own = offer.what === 'rematch' ? 'You have proposed a rematch.' : 'You have asked to take your last move back.';
    return [h('span', { class: 'offer-title' }, own), button('Withdraw', 'decline')];
  }
  return [h('span', { class: 'offer-title' }, `${capital(game.sides[offer.side])} proposes ${what}.`), button('Accept', 'accept', true), button('Decline', 'decline')];
}

/** Whether both sides have moved. @param {Room} room */
export const bothMoved = ({ steps }) => [0, 1].every((side) => steps.some((step) => step.side === side));

/**
 * The time until the game of an absent player can be claimed; null if it cannot.
 * @param {Room} room
 * @param {number} me
 * @param {Here | null} here
 * @param {number} heard when `here` was heard, as `performance.now` says
 */
export function untilClaim(room, me, here, heard) {
  const other = 1 - me;
  if (!room.apart || !here || room.clock || room.end || !room.begun) return null;
  if (room.scene.side !== other || here.sides[other] > 0) return null;
  return Math.max(0, room.apart.absence_ms - here.away_ms[other] - (performance.now() - heard));
}
