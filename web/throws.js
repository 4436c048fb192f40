// Saying what the dice show: one button a throw, or one a die where several dice are thrown.

import { inline } from './dice.js';
import { fill, h } from './dom.js';
import { spoken } from './moves.js';

/** The same dice in any order. @param {string} roll */
const sorted = (roll) => [...roll.toUpperCase()].sort().join('');

/**
 * @param {Thrown[]} throws what may fall
 * @param {string | null} shown what lies there
 * @param {(thrown: Thrown) => void} take
 * @returns {HTMLElement[]}
 */
export function throwButtons(throws, shown, take) {
  const most = Math.max(0, ...throws.map(({ roll }) => roll.length));
  if (most > 1) return [dicePicker(throws, most, take)];
  return throws.map((thrown) =>
    h('button', {
      type: 'button', class: 'face', 'aria-label': `Throw ${thrown.roll}`, 'aria-pressed': String(shown === thrown.roll),
      onclick: () => take(thrown),
    }, inline(thrown.roll)),
  );
}

/**
 * One die after the other, in any order.
 * @param {Thrown[]} throws
 * @param {number} count
 * @param {(thrown: Thrown) => void} take
 */
function dicePicker(throws, count, take) {
  const faces = [...new Set(throws.flatMap(({ roll }) => [...roll]))];
  const told = h('span', { class: 'picked soft', 'aria-live': 'polite' });
  const tell = () => fill(told, picked ? inline(picked) : '', picked ? ` and ${count - picked.length} more` : `${count} dice, one after the other`);
  let picked = '';
  tell();
  const pick = (/** @type {string} */ face) => {
    picked += face;
    if (picked.length < count) return tell();
    const thrown = throws.find(({ roll }) => sorted(roll) === sorted(picked));
    const missing = picked;
    picked = '';
    if (thrown) return take(thrown);
    fill(told, `${spoken(missing)}: nothing can move, throw again`);
  };
  return h(
    'div',
    { class: 'picker' },
    ...faces.map((face) => h('button', { type: 'button', class: 'face', 'aria-label': `Die ${spoken(face)}`, onclick: () => pick(face) }, inline(face))),
    told,
  );
}
