// The list of moves. A click on one shows the position before it.

import { inline } from '../../dice.js';
import { fill, h, percent } from '../../dom.js';
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
   * void} look is told the step to look at => @param {(number: number) => void} look called with the step to show => void} look is told the step to look at
   */
  constructor(state, look) {
    this.#state = state;
    this.#look = look;
  }

  show() {
    const { room, past } = this.#state;
    if (!room.steps.length) return fill(this.element, h('li', { class: 'soft none' }, 'No moves yet.'));
    this.opinions.textContent = room.steps.some(({ value }) => value !== undefined) ? 'The percentages are what each agent expected of its own move.' : '';
    fill(this.element, ...turns(room.steps).map((turn) => h('li', { class: `turn-of${turn[0].step.side}` }, ...turn.map((made) => this.#button(made)))));
    if (past === null) this.element.scrollTop = this.element.scrollHeight;
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
