// Were the dice fair? The browser works the throws out again by itself.

import { game as find, get } from '../api.js';
import { inline } from '../dice.js';
import { fill, h, head } from '../dom.js';

/** @param {string} text @returns {Promise<Uint8Array>} */
async function hash(text) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

const hex = (/** @type {Uint8Array} */ bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** @type {Page} */
export async function verify(main, [id]) {
  if (!id) return explain(main);
  const record = /** @type {RoomRecord} */ (await get(`/api/rooms/${encodeURIComponent(id)}/record`));
  const game = await find(record.game);
  const rows = h('tbody', {});
  const verdict = h('p', { class: 'verdict', 'aria-live': 'polite' });
  const title = [h('p', { class: 'soft eyebrow' }, h('a', { href: `/room/${id}` }, 'The game')), h('h1', {}, 'The dice of this game')];
  const { dice } = record;
  if (dice.kind === 'typed' || !dice.seed) {
    const words = dice.kind === 'typed' ? 'People threw the dice of this game and typed what fell.' : 'The secret is shown when the game is over.';
    return fill(main, h('div', { class: 'text-page' }, ...title, h('p', { class: 'note' }, words)));
  }
  fill(
    main,
    h('div', { class: 'text-page' }, ...title, verdict,
      h('dl', { class: 'facts' },
        h('dt', {}, 'Shown before the game'), h('dd', {}, h('code', { class: 'hash' }, dice.commitment)),
        h('dt', {}, 'The secret, whose SHA-256 hash that is'), h('dd', {}, h('code', { class: 'hash' }, dice.seed)),
        h('dt', {}, 'What your browser added'), h('dd', {}, h('code', { class: 'hash' }, dice.salt || '(nothing)'))),
      method(),
      h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Throws' },
        h('table', { class: 'standings' }, head(['#Throw', 'First bytes of the hash', 'Falls', 'Played', 'Equal']), rows)),
      h('p', { class: 'soft' }, 'The same check without a browser: save the game and run ', h('code', {}, `wurfel verify-dice wurfel-${id}.json`))),
  );
  if (!crypto.subtle) {
    verdict.textContent = 'This browser checks hashes only on this machine or over https. The command below does it anywhere.';
    return;
  }
  const kept = hex(await hash(dice.seed)) === dice.commitment;
  let right = kept;
  let number = 0;
  for (const step of record.steps.filter(({ rest }) => !rest)) {
    number += 1;
    const found = await fall(game, `${dice.seed}:${dice.salt}:${number}`, step.roll);
    right &&= found.roll === step.roll;
    rows.append(h('tr', {}, h('td', { class: 'number' }, String(number)), h('td', {}, h('code', {}, found.bytes), found.attempt ? h('span', { class: 'soft' }, ` after ${found.attempt} that left nothing to do`) : ''), h('td', {}, inline(found.roll)), h('td', {}, inline(step.roll)), h('td', {}, found.roll === step.roll ? '✓' : '✗')));
  }
  verdict.classList.add(right ? 'right' : 'wrong');
  verdict.textContent = right ? `The secret has the hash, and all ${number} throws follow from it.` : kept ? 'A throw does not follow from the secret.' : 'The secret does not have the hash that was shown before the game.';
}

/**
 * How the dice fall: the first attempt that gives `wanted`, or the first of all. Attempts before
 * it left nothing to do; which these are only the rules know.
 * @param {Game} game
 * @param {string} text
 * @param {string} wanted
 */
async function fall(game, text, wanted) {
  const ways = game.faces.reduce((sum, { weight }) => sum + weight, 0);
  const limit = Math.floor(2 ** 32 / ways) * ways;
  let first;
  for (let attempt = 0; attempt < 64; attempt += 1) {
    const bytes = await hash(`${text}:${attempt}`);
    const number = new DataView(bytes.buffer).getUint32(0);
    if (number >= limit) continue;
    let way = number % ways;
    const face = game.faces.find(({ weight }) => (way -= weight) < 0);
    const found = { roll: face?.roll ?? '', bytes: hex(bytes.slice(0, 4)), attempt };
    first ??= found;
    if (found.roll === wanted) return found;
  }
  return first ?? { roll: '', bytes: '', attempt: 0 };
}

const method = () =>
  h('p', {}, 'Throw ', h('i', {}, 'n'), ' takes the SHA-256 hash of ', h('code', {}, 'secret:added:n:0'), ', its first four bytes as a number, and the remainder of that by the number of ways the dice can fall. A throw that leaves nothing to do is repeated with 1, 2, … at the end.');

/** @param {HTMLElement} main */
function explain(main) {
  fill(main, h('div', { class: 'text-page' }, h('h1', {}, 'Fair dice'), h('p', { class: 'lead' }, 'Neither the server nor the player can steer the dice of a game here, and both can check it.'), h('p', {}, 'Before a game the server shows the hash of a secret. Then your browser adds a text of its own. All throws follow from both; after the game the secret is shown.'), method()));
}
