// Entering a roll: a button for each roll, or one for each face where several dice are rolled.

import { inline } from './dice.js';
import { capital, fill, h } from './dom.js';
import { t } from './language.js';
import { kind, spoken } from './moves.js';

/** The same dice in any order. @param {string} roll */
const sorted = (roll) => [...roll.toUpperCase()].sort().join('');

/**
 * @param {Rolled[]} rolls the rolls that are possible
 * @param {string | null} shown the current roll
 * @param {(rolled: Rolled) => void} take
 * @returns {HTMLElement[]}
 */
export function rollButtons(rolls, shown, take) {
  const most = Math.max(0, ...rolls.map(({ roll }) => roll.length));
  if (most > 1) return [dicePicker(rolls, most, take)];
  return rolls.map((rolled) =>
    h('button', {
      type: 'button', class: 'face', 'aria-label': t('dice.choose', { roll: rolled.roll }), 'aria-pressed': String(shown === rolled.roll),
      onclick: () => take(rolled),
    }, inline(rolled.roll)),
  );
}

/**
 * Enters one die after the other, in any order.
 * @param {Rolled[]} rolls
 * @param {number} count
 * @param {(rolled: Rolled) => void} take
 */
function dicePicker(rolls, count, take) {
  const faces = [...new Set(rolls.flatMap(({ roll }) => [...roll]))];
  const told = h('span', { class: 'picked soft', 'aria-live': 'polite' });
  const tell = () => fill(told, picked ? inline(picked) : '', picked ? t('dice.more', { count: count - picked.length }) : t('dice.enter', { count }));
  let picked = '';
  tell();
  const pick = (/** @type {string} */ face) => {
    picked += face;
    if (picked.length < count) return tell();
    const rolled = rolls.find(({ roll }) => sorted(roll) === sorted(picked));
    const missing = picked;
    picked = '';
    if (rolled) return take(rolled);
    fill(told, t('dice.again', { roll: capital(spoken(missing)) }));
  };
  return h(
    'div',
    { class: 'picker' },
    ...faces.map((face) => h('button', { type: 'button', class: 'face', 'aria-label': t('dice.die', { face: kind(face) || face }), onclick: () => pick(face) }, inline(face))),
    told,
  );
}
