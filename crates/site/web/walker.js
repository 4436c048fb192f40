// Walking through a game: buttons for whoever has no keys, and keys.

import { h, s } from './dom.js';
import { t } from './language.js';

/** Where a step leads from a place of a line with a last one. @typedef {(at: number, last: number) => number} Leads */

/** @type {Record<string, Leads>} */
const LEADS = { start: () => 0, previous: (at) => at - 1, next: (at) => at + 1, end: (_, last) => last };

/** The buttons with their outlines. @type {['start' | 'previous' | 'next' | 'end', string][]} */
const BUTTONS = [
  ['start', 'M4 4v12M16 4L7 10l9 6z'],
  ['previous', 'M14 4L6 10l8 6z'],
  ['next', 'M6 4l8 6-8 6z'],
  ['end', 'M16 4v12M4 4l9 6-9 6z'],
];

/** @type {Record<string, keyof typeof LEADS>} */
const KEYS = { ArrowLeft: 'previous', ArrowRight: 'next', Home: 'start', End: 'end' };
/** With Ctrl or ⌘: a move is undone by the way to the position before it, and stays in the tree. @type {Record<string, keyof typeof LEADS>} */
const UNDO = { z: 'previous', y: 'next' };

export class Walker {
  element;
  #buttons;
  #where;
  #show;
  #turn;

  /**
   * @param {() => { at: number, last: number }} where the step that is shown, and the last one
   * @param {(step: number) => void} show
   * @param {() => void} turn turns the board
   */
  constructor(where, show, turn) {
    this.#where = where;
    this.#show = show;
    this.#turn = turn;
    this.#buttons = BUTTONS.map(([step, outline]) => h('button', { type: 'button', 'aria-label': t(`walk.${step}`), title: t(`walk.${step}`), onclick: () => this.#go(step) },
      s('svg', { viewBox: '0 0 20 20', width: 20, height: 20, 'aria-hidden': 'true' }, s('path', { d: outline }))));
    this.element = h('div', { class: 'walker', role: 'group', 'aria-label': t('walk.label') }, ...this.#buttons);
    document.addEventListener('keydown', this.#press);
  }

  /** Enables the buttons that lead somewhere. */
  show() {
    const { at, last } = this.#where();
    this.element.hidden = last === 0;
    this.#buttons.forEach((button, n) => {
      button.setAttribute('aria-disabled', String(n < 2 ? at <= 0 : at >= last));
    });
  }

  close() {
    document.removeEventListener('keydown', this.#press);
  }

  /** @param {keyof typeof LEADS} step */
  #go(step) {
    const { at, last } = this.#where();
    const to = Math.max(0, Math.min(last, LEADS[step](at, last)));
    if (to !== at) this.#show(to);
  }

  /** Follows a key, unless a control or the board takes it. @param {KeyboardEvent} event */
  #press = (event) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey, target } = event;
    if (event.defaultPrevented || altKey || shiftKey || /** @type {Element} */ (target).closest('input, select, textarea, [contenteditable]')) return;
    const command = ctrlKey || metaKey;
    if (key === 'f' && !command) return this.#turn();
    const step = (command ? UNDO : KEYS)[key];
    if (!step || this.#where().last === 0) return;
    event.preventDefault();
    this.#go(step);
  };
}
