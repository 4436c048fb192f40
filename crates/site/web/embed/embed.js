// A board for other sites, which show it in a frame: a position to play on, with what every move is worth.
//
// It is a page of its own, so that no other page of the site can be framed: one with rights or secrets could be laid
// under the pointer of somebody who believes to press something else.

import { game as find, listen, scene as look, site } from '../api.js';
import '../board.js';
import { alone } from '../device.js';
import { fill, h, redraw } from '../dom.js';
import { language, t, titleOf } from '../language.js';
import { Results } from '../pages/analyse/results.js';
import { AnalysisState } from '../pages/analyse/state.js';
import { Table } from '../pages/analyse/table.js';
import { analysis, dress, sentence } from '../pages/shared.js';
import { rollButtons } from '../rolls.js';

const main = /** @type {HTMLElement} */ (document.getElementById('main'));

class EmbeddedBoard {
  #state;
  #table;
  #results;
  #socket;
  #rolls = h('div', { class: 'rolls', role: 'group', 'aria-label': t('analyse.roll') });
  #buttons = h('div', { class: 'actions' });
  #problem = h('p', { class: 'problem', role: 'alert' });
  /** The positions before this one. @type {Scene[]} */
  #past = [];
  /** The number of the last position that was requested. Answers to earlier requests are ignored. */
  #wanted = 0;

  /** @param {AnalysisState} state */
  constructor(state) {
    this.#state = state;
    const doing = {
      play: (/** @type {string[]} */ ...moves) => void this.#play(moves),
      set: (/** @type {string} */ position) => void this.#go(() => look(state.game.name, position)),
      edit: () => {},
      drawBoard: () => this.#table.show(),
    };
    this.#table = new Table(state, doing);
    this.#results = new Results(state, doing);
    this.#socket = listen('/api/analyse', (message) => this.#hear(message));
    this.element = h('div', { class: 'table' },
      h('h1', { class: 'unseen' }, titleOf(state.game)),
      h('div', { class: 'board-side' }, this.#table.board, this.#table.question, this.#rolls, this.#buttons, this.#problem),
      h('div', { class: 'panel' }, this.#results.element));
    this.#ask();
  }

  /** @param {Report & { error?: string }} message */
  #hear(message) {
    if (message.error) this.#problem.textContent = message.error;
    else if (message.tag === this.#state.tag) this.#state.report = message;
    this.#results.show(Boolean(message.error));
    this.#table.show();
  }

  /** Starts the search of the position, and draws it. */
  #ask() {
    const { game, scene, agent } = this.#state;
    this.#state.forget();
    if (!scene.result) this.#socket.send({ game: game.name, position: scene.position, agent, tag: this.#state.tag });
    this.#table.show();
    this.#results.show(false);
    redraw(this.element, () => {
      fill(this.#rolls, ...rollButtons(this.#state.begun ? [] : scene.rolls, scene.roll, ({ position }) => void this.#go(() => look(game.name, position))));
      fill(this.#buttons,
        h('button', { type: 'button', disabled: !this.#past.length, onclick: () => this.#back() }, t('embed.back')),
        h('button', { type: 'button', onclick: () => this.#turn() }, t('tree.turn')),
        h('a', { class: 'button', target: '_blank', rel: 'noopener', href: whole(game.name, scene.position) }, t('embed.open')));
    });
  }

  /** Plays moves, one after the other. @param {string[]} moves */
  #play(moves) {
    const { game, scene } = this.#state;
    return this.#go(async () => {
      let found = scene;
      for (const move of moves) found = await look(game.name, found.position, move);
      return found;
    });
  }

  /** Goes to a position. @param {() => Promise<Scene>} next */
  async #go(next) {
    const mine = (this.#wanted += 1);
    const { scene } = this.#state;
    try {
      const found = await next();
      if (mine !== this.#wanted) return;
      this.#past.push(scene);
      this.#arrive(found);
    } catch (error) {
      this.#problem.textContent = /** @type {Error} */ (error).message;
    }
  }

  #back() {
    this.#wanted += 1;
    const before = this.#past.pop();
    if (before) this.#arrive(before);
  }

  /** @param {Scene} scene */
  #arrive(scene) {
    this.#problem.textContent = '';
    this.#state.move(scene);
    this.#ask();
  }

  #turn() {
    this.#state.flipped = !this.#state.flipped;
    this.#table.show();
  }
}

/** The address of the analysis of a position. @param {string} game @param {string} position */
const whole = (game, position) => new URL(alone ? `../#${analysis(game, position)}` : analysis(game, position), document.baseURI).href;

document.documentElement.lang = language;
const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => (document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light');
dark.addEventListener('change', paint);
paint();

try {
  const query = new URLSearchParams(location.search);
  const [offered, game] = [await site(), await find(query.get('game'))];
  const scene = await look(game.name, query.get('position') ?? game.samples[0] ?? game.start.position);
  document.title = `${titleOf(game)} – wurfel`;
  dress(main, game);
  fill(main, new EmbeddedBoard(new AnalysisState(game, scene, query.get('agent') ?? offered.agent)).element);
} catch (error) {
  fill(main, h('p', { class: 'problem', role: 'alert' }, sentence(/** @type {Error} */ (error).message)));
}
