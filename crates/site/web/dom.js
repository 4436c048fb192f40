// Small helpers for making elements. Text always goes in as text, never as markup.

import { decimals, t } from './language.js';
import { address } from './place.js';

/**
 * An HTML element. Properties beginning with `on` are listeners; `class`, `aria-…`, `data-…`
 * and `role` are attributes, all others are properties. Links are given paths of the site.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class' || name === 'role' || name.includes('-') || name === 'for') {
      element.setAttribute(name, String(value));
    } else Reflect.set(element, name, name === 'href' ? address(value) : value);
  }
  add(element, children);
  return element;
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  add(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {(Node | string | null | undefined | false)[]} children
 */
function add(element, children) {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/**
 * Replaces what is in an element.
 * @param {Element} element
 * @param {...(Node | string | null | undefined | false)} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
}

/** Identifies a control, so that it is found again after it was redrawn. @param {Element} control */
const known = (control) => control.getAttribute('aria-label') ?? (control instanceof HTMLInputElement ? control.value : control.textContent);

/**
 * Redraws a part of the page. The focus stays on the control that has it.
 * @param {Element} place
 * @param {() => void} draw
 */
export function redraw(place, draw) {
  const focused = document.activeElement;
  const name = focused && place.contains(focused) ? known(focused) : null;
  draw();
  const controls = [.../** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll('button, input, select'))];
  if (name !== null) controls.find((control) => known(control) === name)?.focus();
}

/** A win probability for people. @param {number | null | undefined} value */
export function percent(value) {
  return value === null || value === undefined ? '–' : t('number.percent', { value: decimals(100 * value) });
}

/** A value, or a difference of values, in points of a hundred. @param {number | null} value */
export const points = (value) => (value === null ? '–' : decimals(100 * value));

/** A number with its sign; one that rounds to zero has none. @param {number} value @param {0 | 1} [digits] decimals */
export function signed(value, digits) {
  const text = decimals(Math.abs(value), digits);
  if (!/[1-9]/.test(text)) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}

/** A text with its first letter in upper case. @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether the reader prefers no animations. */
export function still() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/**
 * The head of a table; a column whose name begins with # has numbers.
 * @param {string[]} columns
 */
export const head = (columns) =>
  h('thead', {}, h('tr', {}, ...columns.map((name) => h('th', { scope: 'col', class: name.startsWith('#') ? 'number' : undefined }, name.replace('#', '')))));

/**
 * A group of radio buttons.
 * @param {string} legend
 * @param {{ value: string, label: string | Node }[]} choices
 * @param {string} taken
 * @param {(value: string) => void} take
 */
export function choose(legend, choices, taken, take) {
  const name = `choice-${(choose.count += 1)}`;
  return h(
    'fieldset',
    { class: 'choice' },
    h('legend', {}, legend),
    h(
      'div',
      { class: 'segments' },
      ...choices.map(({ value, label }) =>
        h(
          'label',
          {},
          h('input', { type: 'radio', name, value, checked: value === taken, onchange: () => take(value) }),
          h('span', {}, label),
        ),
      ),
    ),
  );
}
choose.count = 0;

/**
 * A labelled choice from a list.
 * @param {string} label
 * @param {{ value: string, label: string }[]} choices
 * @param {string} taken
 * @param {(value: string) => void} take
 */
export function select(label, choices, taken, take) {
  return h(
    'label',
    { class: 'field' },
    h('span', {}, label),
    h(
      'select',
      { onchange: (/** @type {Event} */ event) => take(/** @type {HTMLSelectElement} */ (event.target).value) },
      ...choices.map(({ value, label: text }) => h('option', { value, selected: value === taken }, text)),
    ),
  );
}
