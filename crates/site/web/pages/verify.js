// Checks whether the dice of a game were fair: the browser computes the rolls again by itself.

import { game as find, get, keptDice } from '../api.js';
import { inline } from '../dice.js';
import { fill, h, head } from '../dom.js';
import { check } from '../fair.js';

/** @type {Page} */
export async function verify(main, [id]) {
  if (!id) return explain(main);
  const record = /** @type {RoomRecord} */ (await get(`/api/rooms/${encodeURIComponent(id)}/record`));
  const game = await find(record.game);
  const rows = h('tbody', {});
  const verdict = h('p', { class: 'verdict', 'aria-live': 'polite' });
  const title = [h('p', { class: 'soft eyebrow' }, h('a', { href: `/room/${id}` }, 'The game')), h('h1', {}, 'The dice of this game')];
  const { dice } = record;
  const why = reason(record);
  if (dice.kind === 'typed' || why) return fill(main, h('div', { class: 'text-page' }, ...title, h('p', { class: 'note' }, why)));
  const kept = keptDice(id);
  const backs = record.taken_back?.length ?? 0;
  const shown = kept ? 'Shown before the game, and kept by this browser' : 'Shown before the game, says the server';
  const command = `wurfel verify-dice wurfel-${id}.json${kept ? ` --commitment ${kept.commitment} --salt ${kept.salt}` : ''}`;
  fill(
    main,
    h('div', { class: 'text-page' }, ...title, verdict,
      h('dl', { class: 'facts' },
        h('dt', {}, shown), h('dd', {}, h('code', { class: 'hash' }, kept?.commitment ?? dice.commitment)),
        h('dt', {}, 'The secret, whose SHA-256 hash that is'), h('dd', {}, h('code', { class: 'hash' }, dice.seed ?? '')),
        h('dt', {}, dice.salt.includes('-') ? 'Salts of the two browsers' : 'Salt of your browser'), h('dd', {}, h('code', { class: 'hash' }, dice.salt || '(nothing)'))),
      !kept && h('p', { class: 'note' }, 'This game was not started in this browser: compare the first line with the hash that somebody wrote down before the game. Only that can show whether the game was made up afterwards.'),
      backs > 0 && h('p', { class: 'note' }, `A game with take-backs: ${backs}. The rolls that were taken back are below, too.`),
      method(),
      h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Rolls' },
        h('table', { class: 'standings' }, head(['#Roll', 'Hash', 'Falls', 'Played', 'Equal']), rows)),
      h('p', { class: 'soft' }, 'The same check without a browser: save the game and run ', h('code', { class: 'hash' }, command))),
  );
  if (!crypto.subtle) {
    verdict.textContent = 'This browser checks hashes only on this machine or over https. The command below does it anywhere.';
    return;
  }
  const { forged, rows: found } = await check(record, kept);
  const words = { played: '', void: 'left nothing to do', unplayed: 'not played any more', 'taken back': 'taken back' };
  for (const { number, roll, hash, fell, what } of found) {
    rows.append(h('tr', {}, h('td', { class: 'number' }, String(number)), h('td', {}, h('code', { title: hash }, `${hash.slice(0, 6)}…${hash.slice(-6)}`)), h('td', {}, inline(fell)), h('td', {}, inline(roll), h('span', { class: 'soft' }, words[what] && ` ${words[what]}`)), h('td', {}, fell === roll ? '✓' : '✗')));
  }
  verdict.classList.add(forged ? 'wrong' : 'right');
  verdict.textContent = forged ? `Forged: ${forged}.` : `The secret has the hash, and all ${dice.rolls} rolls of ${game.title} follow from it.`;
}

/** Why the dice cannot be checked; empty if they can. @param {RoomRecord} record */
function reason({ dice }) {
  if (dice.kind === 'typed') return 'The players rolled real dice in this game and typed what they showed.';
  if (!dice.seed) return 'The secret is shown when the game is over.';
  return '';
}

const method = () =>
  h('p', {}, 'Roll ', h('i', {}, 'n'), ' is the SHA-256 hash of ', h('code', {}, 'secret:salt:n'), ', taken as a number, modulo the number of ways in which the dice can fall. A roll that leaves nothing to move has a number, too. After a take-back the roll that was seen stays, and all later ones are new.');

/** @param {HTMLElement} main */
function explain(main) {
  fill(main, h('div', { class: 'text-page' }, h('h1', {}, 'Fair dice'), h('p', { class: 'lead' }, 'You need not trust the dice of this server: after a game, everybody can check that it did not choose them.'), h('p', {}, 'Before a game the server shows the hash of a secret. Then each player’s browser adds a random text of its own, the salt, and keeps both the hash and the salt. All rolls follow from the secret and the salts. After the game the secret is shown, and the page of the game computes all rolls again.'), h('p', {}, 'The check shows that the server, acting alone, did not choose the rolls. If you play against another person, it cannot show that the server and this person did not act together: whoever adds a salt last could then choose it. Only dice on the table help against that.'), method()));
}
