// The list of moves. A click on one shows the position before it.

import { inline } from '../../dice.js';
import { fill, h, percent, redraw } from '../../dom.js';
import { unsquared } from '../../moves.js';
import { named, swatch } from '../shared.js';

/** @typedef {{ step: ShownStep, number: number }} Numbered */

/** The steps, grouped by roll. @param {ShownStep[]} steps */
function turns(steps) {
  /** @type {Numbered[][]} */
  const turns = [];
  steps.forEach((step, number) => {
    if (step.rest) turns[turns.length - 1]?.push({ step, number });
    else turns.push([{ step, number }]);
  });
  return turns;
}

export class MoveList {
  element = h('ol', { class: 'moves', 'aria-label': 'Moves', tabIndex: 0 });
  /** The meaning of the percentages, if there are any. */
  opinions = h('p', { class: 'soft opinions' });
  #state;
  #look;

  /**
   * @param {import('./state.js').RoomState} state
   * @param {(number: number) => void} look called with the step to show
   */
  constructor(state, look) {
    this.#state = state;
    this.#look = look;
  }

  show() {
    const { room, past } = this.#state;
    if (!room.steps.length) return fill(this.element, h('li', { class: 'soft none' }, 'No moves yet.'));
    this.opinions.textContent = room.steps.some(({ value }) => value !== undefined) ? 'The percentages are what each agent expected of its own move.' : '';
    redraw(this.element, () => fill(this.element, ...turns(room.steps).map((turn) => h('li', { class: `turn-of${turn[0].step.side}` }, ...turn.map((made) => this.#button(made))))));
    this.#scroll();
    // A list that is not on the page yet has no height.
    if (!this.element.isConnected) requestAnimationFrame(() => this.#scroll());
  }

  /** Shows the end of the list, or the step that is looked at. */
  #scroll() {
    const { element } = this;
    const chosen = element.querySelector('.chosen');
    if (!chosen) {
      if (this.#state.past === null) element.scrollTop = element.scrollHeight;
      return;
    }
    const [list, step] = [element.getBoundingClientRect(), chosen.getBoundingClientRect()];
    if (step.top < list.top) element.scrollTop -= list.top - step.top;
    if (step.bottom > list.bottom) element.scrollTop += step.bottom - list.bottom;
  }

  /** @param {Numbered} made */
  #button({ step, number }) {
    const { game, room, past } = this.#state;
    return h(
      'button',
      { type: 'button', class: `step${past === number ? ' chosen' : ''}`, onclick: () => this.#look(number) },
      h('span', { class: 'unseen' }, `Move ${number + 1}: ${game.sides[step.side]} `),
      !step.rest && swatch(step.side),
      !step.rest && inline(step.roll),
      h('span', { class: 'move-text' }, unsquared(step.move)),
      step.value !== undefined && h('span', { class: 'soft', title: `${named(game, room.players[step.side])} expects this for itself` }, percent(step.value)),
    );
  }
}
