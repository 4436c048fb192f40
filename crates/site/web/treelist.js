// The moves of a game tree with their numbers and dice: a column for each side, variations in brackets below the turn
// that they replace, and comments.

import { inline } from './dice.js';
import { fill, h, percent, redraw } from './dom.js';
import { called, sideOf, t } from './language.js';
import { unsquared } from './moves.js';
import { swatch } from './pages/shared.js';

/** @typedef {import('./tree.js').Place} Place */

export class TreeList {
  element = h('ol', { class: 'moves', 'aria-label': t('tree.moves'), tabIndex: 0 });
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
    redraw(this.element, () => fill(this.element, ...this.#main()));
    // A list that is not on the page yet has no height, and to ask for it now would lay out the page twice.
    requestAnimationFrame(() => this.#scroll());
  }

  /** Shows the step that is chosen, or the beginning. */
  #scroll() {
    const { element } = this;
    const chosen = element.querySelector('.chosen');
    if (!chosen) return void (element.scrollTop = 0);
    const [list, step] = [element.getBoundingClientRect(), chosen.getBoundingClientRect()];
    if (step.top < list.top) element.scrollTop -= list.top - step.top;
    if (step.bottom > list.bottom) element.scrollTop += step.bottom - list.bottom;
  }

  /** The turns of the main line. */
  #main() {
    const { root } = this.#tree();
    /** @type {HTMLElement[]} */
    const shown = root.comment ? [between(comment(root))] : [];
    /** @type {HTMLElement | undefined} */
    let turn;
    for (let from = root; from.children.length; [from] = from.children) {
      const [main, ...others] = from.children;
      const step = this.#step(main);
      if (!main.rest || !turn) shown.push((turn = h('li', { class: `turn-of${main.side}` })));
      turn.append(...step);
      const lines = [main.comment && comment(main), ...others.map((other) => this.#variation(other))].filter(Boolean);
      if (!lines.length) continue;
      shown.push(between(.../** @type {Node[]} */ (lines)));
      turn = undefined;
    }
    const some = shown.filter((line) => line.childNodes.length);
    return some.length ? some : [h('li', { class: 'soft none' }, t('tree.none'))];
  }

  /** A variation in brackets. @param {Place} first @returns {Node | false} */
  #variation(first) {
    const line = this.#line(first);
    return line.length > 0 && h('span', { class: 'variation-line' }, '(', ...line, ')');
  }

  /** A place with everything after it in one line. @param {Place} first @returns {Node[]} */
  #line(first) {
    const line = [...this.#step(first), ...(first.comment ? [comment(first)] : [])];
    if (!first.children.length) return line;
    const [main, ...others] = first.children;
    const inner = others.map((other) => this.#variation(other)).filter((node) => node !== false);
    const [head, ...rest] = this.#line(main);
    return [...line, ...(head ? [head] : []), ...inner, ...rest];
  }

  /** A move; a roll that was only looked at stands there while it is shown. @param {Place} place @returns {Node[]} */
  #step(place) {
    const { scene, move, roll, rest, turn, side, value, mark } = place;
    const isChosen = place === this.#tree().current;
    const chosen = isChosen ? ' chosen' : '';
    if (move === null) return isChosen && scene?.roll ? [h('span', { class: 'step chosen' }, inline(scene.roll))] : [];
    return [h('button', { type: 'button', class: `step${chosen}`, 'aria-current': isChosen ? 'step' : undefined, onclick: () => this.#go(place) },
      !rest && h('span', { class: 'soft turn-number' }, `${turn}.`),
      h('span', { class: 'unseen' }, ` ${sideOf(this.#game(), side)} `),
      !rest && swatch(side), !rest && roll && inline(roll),
      h('span', { class: 'move-text' }, unsquared(move)),
      mark && h('span', { class: `mark ${mark}` }, called(`mark.${mark}`, mark)),
      value !== undefined && h('span', { class: 'soft', title: t('tree.expected') }, percent(value)))];
  }
}

/** A line of the list that belongs to no side. @param {...Node} parts */
const between = (...parts) => h('li', { class: 'between' }, ...parts);

/** @param {Place} place */
const comment = (place) => h('span', { class: 'comment' }, place.comment);
