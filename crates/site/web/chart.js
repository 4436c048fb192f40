// Line charts. Each has a table of first and last values for readers who cannot see it.

import { h, s } from './dom.js';
import { decimals, t } from './language.js';

const [WIDTH, HEIGHT] = [560, 190];
/** The margins for the numbers at the left and below. */
const [LEFT, BELOW] = [66, 22];

/** The class of a line: one of the four that have colours in `style.css`. @param {number} place */
const coloured = (place) => `line${place % 4}`;

/** @typedef {{ name: string, values: (number | null)[] }} Line */

/** A number with few digits. @param {number} value */
export function short(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return `${decimals(value / 1e6)} M`;
  if (size >= 1e4) return `${decimals(value / 1e3, 0)} k`;
  if (size >= 100 || value === 0) return decimals(value, 0);
  if (size >= 1) return decimals(value, 2);
  return size >= 1e-3 ? value.toPrecision(2) : value.toExponential(1);
}

/** The position of a line that has a single point. @param {(number | null)[]} values */
function dots(values) {
  const first = values.findIndex((value) => value !== null);
  return first >= 0 && values.every((value, at) => at === first || value === null) ? [first] : [];
}

/**
 * A chart of several lines over the same rounds.
 * @param {string} title
 * @param {(number | null)[]} rounds
 * @param {Line[]} lines
 */
export function chart(title, rounds, lines) {
  const known = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  const [first, last] = [Number(rounds[0] ?? 0), Number(rounds[rounds.length - 1] ?? 1)];
  let [low, high] = [Math.min(...known), Math.max(...known)];
  // Nearly constant lines are centred, and the range of small numbers includes 0.
  if (low > 0 && low < 0.5 * high) low = 0;
  if (high - low < 1e-9 * Math.abs(high) || high === low) [low, high] = [low - 0.5 * (Math.abs(low) || 1), high + 0.5 * (Math.abs(high) || 1)];
  const x = (/** @type {number} */ round) => LEFT + ((WIDTH - LEFT - 6) * (round - first)) / Math.max(1, last - first);
  const y = (/** @type {number} */ value) => 8 + ((HEIGHT - BELOW - 12) * (high - value)) / (high - low);
  const ticks = [high, (high + low) / 2, low];
  const grid = ticks.flatMap((value) => [
    s('line', { x1: LEFT, x2: WIDTH, y1: y(value), y2: y(value), class: 'chart-grid' }),
    s('text', { x: LEFT - 8, y: y(value) + 4, class: 'chart-number' }, short(value)),
  ]);
  const path = (/** @type {(number | null)[]} */ values) => {
    let pen = 'M';
    return values
      .map((value, place) => {
        if (value === null) return '';
        const point = `${pen}${x(Number(rounds[place])).toFixed(1)} ${y(value).toFixed(1)}`;
        pen = 'L';
        return point;
      })
      .join('');
  };
  const told = lines.map(({ name, values }) => `${name} ${short(values.findLast((value) => value !== null) ?? 0)}`);
  const picture = s(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': t('chart.label', { title, first, last, values: told.join(t('list.separator')) }) },
    ...grid,
    s('text', { x: LEFT, y: HEIGHT - 4, class: 'chart-round' }, String(first)),
    s('text', { x: WIDTH, y: HEIGHT - 4, class: 'chart-number' }, t('chart.round', { last })),
    ...lines.map(({ values }, place) => s('path', { d: path(values), class: `chart-line ${coloured(place)}` })),
    ...lines.flatMap(({ values }, place) => dots(values).map((at) => s('circle', { cx: x(Number(rounds[at])), cy: y(values[at] ?? 0), r: 4, class: `chart-dot ${coloured(place)}` }))),
  );
  return h(
    'figure',
    { class: 'chart' },
    h('figcaption', {}, h('b', {}, title), ...told.map((text, place) => h('span', { class: `chart-name ${coloured(place)}` }, text))),
    picture,
  );
}
