// The game tree of a page: the list of its moves, the ways through it, and what can be done with the position that is
// shown.

import { scene as look } from './api.js';
import { download } from './download.js';
import { fill, h, redraw } from './dom.js';
import { t } from './language.js';
import { analysis, copyText } from './pages/shared.js';
import { asPng, asSvg, picture } from './picture.js';
import { address, here } from './place.js';
import { before } from './tree.js';
import { TreeList } from './treelist.js';
import { Walker } from './walker.js';

/** @typedef {import('./tree.js').Place} Place */

/**
 * @typedef {object} Options
 * @property {() => Game} game
 * @property {() => import('./tree.js').GameTree} tree
 * @property {import('./board.js').BoardElement} board
 * @property {(place: Place) => void} show draws a place, whose scene is known
 * @property {() => void} turn turns the board
 * @property {boolean} [isAnalysis] whether the page analyses by itself
 * @property {boolean} [isWritable] whether comments can be written and lines deleted
 * @property {() => boolean} [isFair] whether an engine may be asked
 * @property {[string, string]} [players] their names
 * @property {() => string | undefined} [result] how the game ended, if not by the rules
 */

export class TreePanel {
  /** What can be done with the position. */
  element;
  #options;
  #list;
  #walker;
  #comment = h('textarea', { rows: 2, 'aria-label': t('tree.comment'), placeholder: t('tree.comment'), onchange: () => {
    if (this.#noted) this.#noted.comment = this.#comment.value.trim();
    this.show();
  } });
  /** The place that the box for a comment is about. @type {Place | null} */
  #noted = null;
  #tools = h('div', { class: 'actions minor' });
  #problem = h('p', { class: 'problem', role: 'alert' });
  /** What decides which tools there are. */
  #offered = '';
  /** The scenes that were asked for. @type {WeakMap<Place, { position: string | null, scene: Promise<Scene> }>} */
  #asked = new WeakMap();

  /** @param {Options} options */
  constructor(options) {
    this.#options = options;
    this.#list = new TreeList(options.game, options.tree, (place) => void this.visit(place));
    const where = () => {
      const line = this.#tree.line();
      return { at: line.indexOf(this.#tree.current), last: line.length - 1 };
    };
    this.#walker = new Walker(where, (step) => void this.visit(this.#tree.line()[step]), options.turn);
    this.#comment.hidden = !options.isWritable;
    this.element = h('div', { class: 'tree-panel' }, this.#comment, this.#problem, this.#tools);
  }

  get #tree() {
    return this.#options.tree();
  }

  /** The list of the moves. */
  get list() {
    return this.#list.element;
  }

  /** The buttons that walk through the game. */
  get walker() {
    return this.#walker.element;
  }

  close() {
    this.#walker.close();
  }

  /** Redraws everything but the board. */
  show() {
    this.#list.show();
    this.#walker.show();
    this.#note();
    this.#offer();
  }

  /** Shows the comment on another place. What is being written on this one stays. */
  #note() {
    const { current } = this.#tree;
    if (this.#noted === current) return;
    this.#noted = current;
    this.#comment.value = current.comment;
  }

  /** Goes to a place of the tree, and shows it. @param {Place} place */
  async visit(place) {
    this.#tree.go(place);
    this.#note();
    this.#problem.textContent = '';
    try {
      if (!place.scene) await this.reach(place);
      if (this.#tree.current !== place) return;
      this.#options.show(place);
    } catch (error) {
      this.#complain(/** @type {Error} */ (error));
    }
    this.show();
  }

  /** @param {Error} error */
  #complain({ message }) {
    this.#problem.textContent = message;
  }

  /** The scene of a place, which is asked for once. @param {Place} place @returns {Promise<Scene>} */
  async reach(place) {
    if (place.scene) return place.scene;
    const { position } = place;
    let asked = this.#asked.get(place);
    if (asked?.position !== position) this.#asked.set(place, (asked = { position, scene: this.#look(place) }));
    const scene = await /** @type {{ scene: Promise<Scene> }} */ (asked).scene.catch((error) => {
      this.#asked.delete(place);
      throw error;
    });
    if (place.position === position) Object.assign(place, { scene, position: scene.position });
    return scene;
  }

  /** @param {Place} place */
  async #look(place) {
    const { name } = this.#options.game();
    if (place.position !== null) return look(name, place.position);
    if (place.parent) await this.reach(place.parent);
    const from = before(place);
    if (from === undefined) throw new Error(t('tree.impossible', { roll: String(place.roll), move: String(place.move) }));
    return look(name, from, place.move ?? undefined);
  }

  /** What can be done with the position. */
  #offer() {
    const { game, isAnalysis, isWritable, isFair = () => true } = this.#options;
    const { scene, parent, comment } = this.#tree.current;
    const { name } = game();
    // The fragment of an invitation is a secret.
    const { pathname, search } = here();
    const path = pathname + search;
    const fair = isFair();
    // A button that is replaced between press and release loses the click, so those that would be the same stay.
    const offered = JSON.stringify([name, scene?.position, fair, parent !== null, comment, this.#tree.line().length]);
    if (offered === this.#offered) return;
    this.#offered = offered;
    const link = (/** @type {string} */ text, /** @type {string} */ href) => h('a', { class: 'button', href }, text);
    const button = (/** @type {string} */ text, /** @type {(pressed: HTMLElement) => void} */ press, title = '') =>
      h('button', { type: 'button', title, onclick: (/** @type {Event} */ event) => press(/** @type {HTMLElement} */ (event.currentTarget)) }, text);
    const at = scene ? analysis(name, scene.position) : '';
    redraw(this.#tools, () => fill(this.#tools,
      scene && fair && !isAnalysis && link(t('tree.analyse'), at),
      scene && fair && !scene.result && link(t('tree.play'), `/?${new URLSearchParams({ game: name, position: scene.at_rest })}`),
      button(t('tree.turn'), () => this.#options.turn(), t('tree.key')),
      button(t('tree.text'), (pressed) => void copyText(pressed, this.#tree.text(this.#options.result?.()))),
      button(t('tree.link'), (pressed) => void copyText(pressed, new URL(address(scene && fair ? at : path), location.href).href)),
      button('SVG', () => download(`wurfel-${name}.svg`, asSvg(this.#drawn())), t('tree.picture')),
      button('PNG', () => void asPng(this.#drawn()).then((file) => download(`wurfel-${name}.png`, file), (error) => this.#complain(error)), t('tree.picture')),
      isWritable && button(t('act.save'), () => void this.#save(), t('tree.saved')),
      isWritable && parent !== null && button(t('tree.cut'), () => {
        this.#tree.cut();
        void this.visit(this.#tree.current);
      })));
  }

  #drawn() {
    return picture(this.#options.board);
  }

  /** Saves the tree as a file of games. */
  async #save() {
    const { name, sides } = this.#options.game();
    const tree = this.#tree;
    const [first, last] = [await this.reach(tree.root), await this.reach(tree.last)];
    const header = { format: 'wurfel-games', version: 1, program: 'wurfel, a page', game: name, agents: this.#options.players ?? sides, pairs: 1, seed: 0 };
    const { start, moves, ...notes } = tree.record();
    const record = { pair: 0, game: 0, first: 0, start, moves, result: last.result ?? this.#options.result?.() ?? '*', plies: last.ply - first.ply, ...notes };
    download(`wurfel-${name}.jsonl`, new Blob([`${JSON.stringify(header)}\n${JSON.stringify(record)}\n`], { type: 'application/x-ndjson' }));
  }
}
