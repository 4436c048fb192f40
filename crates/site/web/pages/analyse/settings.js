// The settings of the analysis: the game, the roll, the side to move and the agent.

import { capital, fill, h, select } from '../../dom.js';
import { called, sideOf, t, titleOf } from '../../language.js';
import { rollButtons } from '../../rolls.js';
import { swatch } from '../shared.js';
import { MOVE } from './state.js';

/**
 * @typedef {object} Doing
 * @property {(name: string) => void} choose goes to another game
 * @property {(position: string) => void} set goes to another position
 * @property {(board: Board, rest: string[]) => void} change changes the board and the fields behind it
 * @property {() => void} ask begins the search again
 * @property {() => void} draw redraws everything
 */

export class Settings {
  element = h('div', { class: 'options' });
  #state;
  #site;
  #doing;

  /**
   * @param {import('./state.js').AnalysisState} state
   * @param {Site} site
   * @param {Doing} doing
   */
  constructor(state, site, doing) {
    this.#state = state;
    this.#site = site;
    this.#doing = doing;
  }

  show() {
    const { games } = this.#site;
    fill(
      this.element,
      games.length > 1 && select(t('field.game'), games.map((game) => ({ value: game.name, label: titleOf(game) })), this.#state.game.name, this.#doing.choose),
      !this.#state.draft && this.#rolls(),
      this.#sides(),
      this.#buttons(),
      this.#agents(),
    );
  }

  #rolls() {
    const { scene, begun } = this.#state;
    const title = begun ? t('analyse.known') : undefined;
    return h('div', { class: 'rolls', role: 'group', 'aria-label': t('analyse.roll') },
      h('button', { type: 'button', 'aria-pressed': String(!scene.roll), disabled: begun, title, onclick: () => this.#doing.set(scene.at_rest) }, t('analyse.all')),
      ...rollButtons(scene.rolls, scene.roll, ({ position }) => this.#doing.set(position)));
  }

  /** Whose turn it is. */
  #sides() {
    const { game, current } = this.#state;
    const { board, rest } = current;
    const sides = game.sides.map((name, side) => {
      // The first field behind the board is the first letter of the side's name.
      const letter = name.charAt(0);
      const onclick = () => this.#doing.change(board, [letter, ...rest.slice(1)]);
      return h('button', { type: 'button', 'aria-pressed': String(rest[0] === letter), onclick }, swatch(side), t('status.move', { side: capital(sideOf(game, side)) }));
    });
    return h('div', { class: 'actions' }, ...sides);
  }

  #buttons() {
    const edit = () => {
      this.#state.editing = !this.#state.editing;
      this.#state.brush = MOVE;
      this.#doing.draw();
    };
    return h('div', { class: 'actions' }, h('button', { type: 'button', 'aria-pressed': String(this.#state.editing), onclick: edit }, t('analyse.edit')));
  }

  /** The agent that evaluates the moves: one of those that give values. */
  #agents() {
    const agents = this.#site.agents.filter(({ values }) => values).map(({ name, about }) => ({ value: name, label: `${name} – ${called(`agent.${name}`, about)}` }));
    return h('details', {}, h('summary', {}, t('analyse.scored', { agent: this.#state.agent })), select(t('level.agent'), agents, this.#state.agent, (value) => {
      this.#state.agent = value;
      this.#doing.ask();
    }));
  }
}
