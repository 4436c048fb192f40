// Checks whether the dice of a game were fair: the browser computes the rolls again by itself.

import { game as find, get, keptDice } from '../api.js';
import { inline } from '../dice.js';
import { fill, h, head } from '../dom.js';
import { check } from '../fair.js';
import { parts, t, titleOf } from '../language.js';

/** @type {Page} */
export async function verify(main, [id]) {
  if (!id) return explain(main);
  const record = /** @type {RoomRecord} */ (await get(`/api/rooms/${encodeURIComponent(id)}/record`));
  const game = await find(record.game);
  const rows = h('tbody', {});
  const verdict = h('p', { class: 'verdict', 'aria-live': 'polite' });
  const title = [h('p', { class: 'soft eyebrow' }, h('a', { href: `/room/${id}` }, t('review.game'))), h('h1', {}, t('check.title'))];
  const { dice } = record;
  const why = reason(record);
  if (dice.kind === 'typed' || why) return fill(main, h('div', { class: 'text-page' }, ...title, h('p', { class: 'note' }, why)));
  const kept = keptDice(id);
  const backs = record.taken_back?.length ?? 0;
  const shown = kept ? t('check.kept') : t('check.said');
  const command = `wurfel verify-dice wurfel-${id}.json${kept ? ` --commitment ${kept.commitment} --salt ${kept.salt}` : ''}`;
  fill(
    main,
    h('div', { class: 'text-page' }, ...title, verdict,
      h('dl', { class: 'facts' },
        h('dt', {}, shown), h('dd', {}, h('code', { class: 'hash' }, kept?.commitment ?? dice.commitment)),
        h('dt', {}, t('check.secret')), h('dd', {}, h('code', { class: 'hash' }, dice.seed ?? '')),
        h('dt', {}, dice.salt.includes('-') ? t('check.salts') : t('check.salt')), h('dd', {}, h('code', { class: 'hash' }, dice.salt || t('check.nothing')))),
      !kept && h('p', { class: 'note' }, t('check.elsewhere')),
      backs > 0 && h('p', { class: 'note' }, t('check.backs', { count: backs })),
      method(),
      h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('column.rolls') },
        h('table', { class: 'standings' }, head([`#${t('column.roll')}`, t('check.hash'), t('check.falls'), t('check.played'), t('check.equal')]), rows)),
      h('p', { class: 'soft' }, ...parts('check.command', { command: h('code', { class: 'hash' }, command) }))),
  );
  if (!crypto.subtle) {
    verdict.textContent = t('check.insecure');
    return;
  }
  const { forged, rows: found } = await check(record, kept);
  const words = { played: '', void: t('rolled.void'), unplayed: t('rolled.unplayed'), 'taken back': t('rolled.back') };
  for (const { number, roll, hash, fell, what } of found) {
    rows.append(h('tr', {}, h('td', { class: 'number' }, String(number)), h('td', {}, h('code', { title: hash }, `${hash.slice(0, 6)}…${hash.slice(-6)}`)), h('td', {}, inline(fell)), h('td', {}, inline(roll), h('span', { class: 'soft' }, words[what] && ` ${words[what]}`)), h('td', {}, fell === roll ? '✓' : '✗')));
  }
  verdict.classList.add(forged ? 'wrong' : 'right');
  verdict.textContent = forged ? t('check.forged', { why: forged }) : t('check.fair', { count: dice.rolls, game: titleOf(game) });
}

/** Why the dice cannot be checked; empty if they can. @param {RoomRecord} record */
function reason({ dice }) {
  if (dice.kind === 'typed') return t('check.typed');
  if (!dice.seed) return t('check.later');
  return '';
}

const method = () =>
  h('p', {}, ...parts('check.method', { n: h('i', {}, 'n'), text: h('code', {}, t('check.secret.text')) }));

/** @param {HTMLElement} main */
function explain(main) {
  fill(main, h('div', { class: 'text-page' }, h('h1', {}, t('fair.title')), h('p', { class: 'lead' }, t('check.lead')), h('p', {}, t('check.how')), h('p', {}, t('check.limits')), method()));
}
