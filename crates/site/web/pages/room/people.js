// Two players on two devices: the invitation, who is present, and proposals.

import { forget, get, post, remember, secret } from '../../api.js';
import { capital, fill, h, s } from '../../dom.js';
import { parts, sideOf, t } from '../../language.js';
import { among, ownName } from '../../person.js';
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
      await post(`/api/rooms/${room.id}`, { token, version, do: 'join', invitation, name: ownName() });
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
 * @param {boolean} listed whether the game is in the list of open games as well
 */
export function invitation(id, listed) {
  const known = invitationTo(id);
  const code = storage.get(`code:${id}`);
  if (!known) return null;
  const address = `${location.origin}/room/${id}#${known}`;
  const field = h('input', { type: 'text', readOnly: true, value: address, 'aria-label': t('invite.link'), onfocus: () => field.select() });
  const told = h('span', { class: 'soft', role: 'status' });
  const take = async () => {
    told.textContent = (await copy(field)) ? t('invite.copied') : t('invite.selected');
  };
  const picture = h('div', { class: 'qr' });
  void post('/api/qr', { text: address }).then(({ size, path }) =>
    fill(picture, s('svg', { viewBox: `-4 -4 ${size + 8} ${size + 8}`, role: 'img', 'aria-label': t('invite.picture'), 'shape-rendering': 'crispEdges' },
      s('rect', { x: -4, y: -4, width: size + 8, height: size + 8, fill: '#fff' }), s('path', { d: path, fill: '#000' })))).catch(() => {});
  return h('section', { class: 'invitation' },
    h('h2', {}, t('invite.title')),
    h('p', { class: 'soft' }, listed ? t('invite.listed') : t('invite.first')),
    LOCAL.test(location.hostname) && h('p', { class: 'note' }, ...parts('invite.local', { command: h('code', {}, 'wurfel serve --host 0.0.0.0') })),
    h('div', { class: 'copying' }, field, h('button', { type: 'button', onclick: () => void take() }, t('invite.copy'))), told,
    code && h('p', { class: 'soft' }, t('invite.code'), ' ', h('b', { class: 'code' }, code)), picture);
}

/**
 * Who plays a side, and whether they are present.
 * @param {Room} room
 * @param {number} side
 * @param {Here | null} here
 */
export function presence(room, side, here) {
  if (room.apart?.open === side) return t('person.awaited');
  const player = room.players[side];
  const name = player.kind === 'person' && player.name ? among(player.name) : '';
  if (!here) return name || t('person.unnamed');
  return [name, here.sides[side] > 0 ? t('person.online') : t('person.away')].filter(Boolean).join(', ');
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
  const button = (/** @type {string} */ text, /** @type {string} */ action, primary = false) =>
    h('button', { type: 'button', class: primary ? 'primary' : undefined, onclick: () => act({ do: action }) }, text);
  if (offer.side === me) {
    const own = offer.what === 'rematch' ? t('offer.own.rematch') : t('offer.own.back');
    return [h('span', { class: 'offer-title' }, own), button(t('offer.withdraw'), 'decline')];
  }
  const side = capital(sideOf(game, offer.side));
  const words = offer.what === 'rematch' ? t('offer.rematch', { side }) : t('offer.back', { side });
  return [h('span', { class: 'offer-title' }, words), button(t('offer.accept'), 'accept', true), button(t('offer.decline'), 'decline')];
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
