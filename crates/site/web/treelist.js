// The moves of a game tree with their numbers and dice, variations in brackets, and the buttons that walk through a game.

import { inline } from './dice.js';
import { fill, h, redraw, s } from './dom.js';
import { unsquared } from './moves.js';
import { swatch } from './pages/shared.js';

/** @typedef {import('./tree.js').Place} Place */

/** The buttons: what they are called, their outline, and the step that they lead to. @type {[string, string, (at: number, last: number) => number][]} */
const WALKS = [
  ['Start', 'M4 4v12M16 4L7 10l9 6z', () => 0],
  ['Previous', 'M14 4L6 10l8 6z', (at) => at - 1],
  ['Next', 'M6 4l8 6-8 6z', (at) => at + 1],
  ['End', 'M16 4v12M4 4l9 6-9 6z', (_, last) => last],
];

/** Buttons that walk through a game, for whoever has no keys. */
export class Walker {
  element;
  #buttons;
  #where;

  /**
   * @param {() => { at: number, steps: number } | null} where the step that is shown, and the last one
   * @param {(step: number) => void} show
   */
  constructor(where, show) {
    this.#where = where;
    this.#buttons = WALKS.map(([name, outline, leads]) => h('button', { type: 'button', 'aria-label': name, title: name, onclick: () => {
      const place = where();
      if (place) show(Math.max(0, Math.min(place.steps, leads(place.at, place.steps))));
    } }, s('svg', { viewBox: '0 0 20 20', width: 20, height: 20, 'aria-hidden': 'true' }, s('path', { d: outline }))));
    this.element = h('div', { class: 'walker', role: 'group', 'aria-label': 'Walk through the game' }, ...this.#buttons);
  }

  /** Enables the buttons that lead somewhere. */
  show() {
    const place = this.#where();
    this.element.hidden = !place || place.steps === 0;
    if (!place) return;
    this.#buttons.forEach((button, n) => {
      button.setAttribute('aria-disabled', String(n < 2 ? place.at <= 0 : place.at >= place.steps));
    });
  }
}

/** The moves of a tree. */
export class TreeList {
  element = h('div', { class: 'tree', role: 'group', 'aria-label': 'Moves', tabIndex: 0 });
  #game;
  #tree;
  #go;

  /**
   * @param {() => Game} game
   * @param {() => import('./tree.js').GameTree} tree
   * @param {(place: Place) => void} go
   */
  constructor(game, tree, go) {
    this.#game = game;
    this.#tree = tree;
    this.#go = go;
  }

  show() {
    const { root } = this.#tree();
    this.element.hidden = root.children.length === 0;
    redraw(this.element, () => fill(this.element, ...this.#after(root)));
    const chosen = this.element.querySelector('.chosen');
    if (!chosen) return;
    const [list, step] = [this.element.getBoundingClientRect(), chosen.getBoundingClientRect()];
    if (step.top < list.top) this.element.scrollTop -= list.top - step.top;
    if (step.bottom > list.bottom) this.element.scrollTop += step.bottom - list.bottom;
  }

  /** Everything after a position: the main line, and the variations in brackets behind the move that they replace. @param {Place} place @returns {Node[]} */
  #after(place) {
    const shown = [];
    for (let from = place; from.children.length; [from] = from.children) {
      const [main, ...others] = from.children;
      shown.push(...this.#step(main));
      for (const other of others) {
        const inner = [...this.#step(other), ...this.#after(other)];
        if (inner.length) shown.push(h('span', { class: 'variation-line' }, '(', ...inner, ')'));
      }
    }
    return shown;
  }

  /** A move; a roll that was only looked at stands there while it is shown. @param {Place} place @returns {Node[]} */
  #step(place) {
    const { current } = this.#tree();
    const { scene, parent, move, roll, rest, turn } = place;
    if (move === null) return place === current && scene.roll ? [h('span', { class: 'step chosen' }, inline(scene.roll))] : [];
    const side = parent?.scene.side ?? 0;
    return [h('button', { type: 'button', class: `step${place === current ? ' chosen' : ''}`, 'aria-current': place === current ? 'step' : undefined, onclick: () => this.#go(place) },
      !rest && h('span', { class: 'soft turn-number' }, `${turn}.`), h('span', { class: 'unseen' }, ` ${this.#game().sides[side]} `), !rest && swatch(side), !rest && roll && inline(roll), h('span', { class: 'move-text' }, unsquared(move)))];
  }
}
