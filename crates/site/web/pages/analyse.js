// Analysis: the values of all moves of a position, updated during the search.
//
// The parts are in `analyse/`. They show the `AnalysisState`, and this file tells them when.

import { game as find, listen, scene as look, site } from '../api.js';
import { isAbove } from '../board.js';
import { fill, h, redraw } from '../dom.js';
import { editor } from '../editor.js';
import { t, titleOf } from '../language.js';
import { moveCount } from '../moves.js';
import { address, here } from '../place.js';
import { recognise } from '../recognise.js';
import { Palette } from './analyse/palette.js';
import { Results } from './analyse/results.js';
import { Rollout } from './analyse/rollout.js';
import { Settings } from './analyse/settings.js';
import { AnalysisState } from './analyse/state.js';
import { Table } from './analyse/table.js';
import { GameTree } from '../tree.js';
import { TreePanel } from '../treepanel.js';
import { analysis, dress, entitle, say } from './shared.js';

/** How many milliseconds another roll waits for its first line, so that both are drawn at once. */
const PATIENCE = 60;

/** The text of a position to begin with. @param {Game} game */
const example = ({ samples, start }) => samples[0] ?? start.position;

/** @type {Page} */
export async function analyse(main, _rest, query) {
  const offered = await site();
  const game = await find(query.get('game'));
  let complaint = '';
  const drop = query.get('drop_castling') === 'true';
  const scene = await look(game.name, query.get('position') ?? example(game), '', drop).catch((error) => {
    complaint = error.message;
    return look(game.name, example(game));
  });
  const page = new AnalysePage(main, new AnalysisState(game, scene, offered.agent), offered, complaint);
  dress(main, game);
  fill(main, page.element);
  page.ask();
  return () => page.close();
}

class AnalysePage {
  #main;
  #state;
  #table;
  #palette;
  #settings;
  #results;
  #rollout;
  #socket;
  #problem;
  /** The positions that were looked at, with the moves between them. */
  #tree;
  /** The trees before this one, to which the browser's Back leads. @type {GameTree[]} */
  #former = [];
  #panel;
  /** The position as text. A game that is pasted has several lines, of which a field would make one. */
  #text = h('input', {
    type: 'text', class: 'position', spellcheck: false, autocomplete: 'off', 'aria-label': t('analyse.position'),
    onchange: () => void this.#type(this.#text.value),
    onpaste: (/** @type {ClipboardEvent} */ event) => {
      const text = event.clipboardData?.getData('text') ?? '';
      if (!text.trim().includes('\n')) return;
      event.preventDefault();
      void this.#type(text);
    },
  });
  /** Whether a position that is typed may have castling rights that its board rules out. */
  #drop = h('input', { type: 'checkbox', onchange: () => void this.#set(this.#text.value) });
  #rights = h('label', {}, this.#drop, t('analyse.rights'));
  /** The number of the last position that was requested. Answers to earlier requests are ignored. */
  #wanted = 0;
  /** The frame that will show the latest report. @type {number | undefined} */
  #frame;
  /** What draws another roll that waits for its first line; `undefined` while none waits. @type {ReturnType<typeof setTimeout> | undefined} */
  #late;

  /**
   * @param {HTMLElement} main
   * @param {AnalysisState} state
   * @param {Site} site
   * @param {string} complaint the error of the requested position
   */
  constructor(main, state, site, complaint) {
    this.#main = main;
    this.#state = state;
    this.#tree = new GameTree(state.scene);
    document.addEventListener('return', this.#return);
    history.replaceState(null, '', address(analysis(state.game.name, state.scene.position)));
    const doing = {
      ask: () => this.ask(),
      change: (/** @type {Board} */ board, /** @type {string[]} */ rest) => void this.#change(board, rest),
      choose: (/** @type {string} */ name) => void this.#choose(name),
      draw: () => this.#render(),
      drawBoard: () => this.#table.show(),
      edit: (/** @type {(squares: Square[]) => void} */ edit) => this.#edit(edit),
      play: (/** @type {string[]} */ ...moves) => void this.#play(moves),
      set: (/** @type {string} */ position) => void this.#set(position),
    };
    this.#problem = h('p', { class: 'problem', role: 'alert' }, complaint);
    this.#table = new Table(state, doing);
    this.#palette = new Palette(state, doing);
    this.#settings = new Settings(state, site, doing);
    this.#results = new Results(state, doing);
    this.#rollout = new Rollout(state);
    this.#panel = new TreePanel({
      game: () => state.game, tree: () => this.#tree, board: this.#table.board, isAnalysis: true, isWritable: true,
      show: () => this.#arrive(false),
      turn: () => {
        state.flipped = !state.flipped;
        this.#table.show();
      },
    });
    this.#socket = listen('/api/analyse', (message) => this.#hear(message));
    this.element = h('div', { class: 'table' },
      h('div', { class: 'board-side' }, this.#table.board, this.#panel.walker, this.#table.question, this.#palette.element, h('div', { class: 'position-line' }, this.#text), this.#rights, this.#problem),
      h('div', { class: 'panel' }, h('h1', {}, t('nav.analyse')), this.#settings.element, this.#panel.list, this.#results.element, this.#rollout.element, this.#panel.element));
  }

  close() {
    clearTimeout(this.#late);
    if (this.#frame) cancelAnimationFrame(this.#frame);
    this.#panel.close();
    document.removeEventListener('return', this.#return);
    this.#rollout.close();
    this.#socket.close();
  }

  /** @param {Report & { error?: string }} message */
  #hear(message) {
    if (message.error) {
      this.#problem.textContent = message.error;
      this.#state.report = null;
    } else if (message.tag === this.#state.tag) this.#state.report = message;
    // The first reports come one after the other within a frame.
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      if (this.#late) return this.#render();
      this.#showResults();
      this.#table.show();
    });
  }

  /** Starts the search of the position. @param {number} [patience] how many milliseconds it waits for its first line before it is drawn */
  ask(patience = 0) {
    const { game, scene, agent } = this.#state;
    this.#state.forget();
    this.#rollout.forget();
    const { tag } = this.#state;
    if (!scene.result && (scene.moves.length || !scene.roll)) this.#socket.send({ game: game.name, position: scene.position, agent, tag });
    if (!patience) return this.#render();
    this.#name();
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.#render(), patience);
  }

  /** Goes to another position. @param {string} position */
  async #set(position) {
    const { game } = this.#state;
    const mine = (this.#wanted += 1);
    try {
      const found = await look(game.name, position, '', this.#drop.checked);
      if (mine !== this.#wanted) return;
      // Another roll is a step of the same game; any other position begins a new one.
      const isRoll = found.at_rest === this.#tree.current.scene?.at_rest;
      if (isRoll) this.#tree.add(found, null);
      else this.#begin(found);
      this.#arrive(true, isRoll ? PATIENCE : 0);
    } catch (error) {
      if (mine === this.#wanted) this.#refuse(/** @type {Error} */ (error));
    }
  }

  /** Begins a new tree. @param {Scene} scene */
  #begin(scene) {
    this.#former.push(this.#tree);
    this.#tree = new GameTree(scene);
  }

  /** Says what is wrong with a text. @param {Error} error */
  #refuse({ message }) {
    this.#problem.textContent = message;
    this.#text.setAttribute('aria-invalid', 'true');
    this.#showResults();
  }

  /** Goes to a position or a game that was typed or pasted, in the rule set that it belongs to. @param {string} text */
  async #type(text) {
    const mine = (this.#wanted += 1);
    const { game: before } = this.#state;
    try {
      const { game, scene, found } = await recognise(text, before.name, this.#drop.checked);
      if (mine !== this.#wanted) return;
      if (game !== before) this.#enter(game);
      if (!found?.record) return void (await this.#set(scene.position));
      this.#begin(scene);
      this.#tree.grow(found.record, found.positions);
      this.#arrive(true);
      say(`${titleOf(game)}, ${moveCount(found.positions.length - 1)}`);
    } catch (error) {
      if (mine === this.#wanted) this.#refuse(/** @type {Error} */ (error));
    }
  }

  /** @param {Game} game */
  #enter(game) {
    const state = this.#state;
    state.game = game;
    state.flipped = isAbove(game.start.board, 0);
    state.draft = null;
    dress(this.#main, game);
  }

  /** Plays moves, one after the other, and analyses the position after them. @param {string[]} moves */
  async #play(moves) {
    const { game } = this.#state;
    const mine = (this.#wanted += 1);
    try {
      for (const move of moves) {
        const found = await look(game.name, this.#tree.current.position ?? '', move);
        if (mine !== this.#wanted) return;
        this.#tree.add(found, move);
        await this.#panel.reach(this.#tree.current);
        if (mine !== this.#wanted) return;
      }
      this.#arrive(true);
    } catch (error) {
      this.#problem.textContent = /** @type {Error} */ (error).message;
    }
  }

  /**
   * Shows the current position of the tree.
   * @param {boolean} fresh whether going back leads to the one before
   * @param {number} [patience] how many milliseconds it waits for its first line
   */
  #arrive(fresh, patience) {
    const { game } = this.#state;
    const scene = /** @type {Scene} */ (this.#tree.current.scene);
    this.#wanted += 1;
    this.#state.move(scene);
    this.#problem.textContent = '';
    this.ask(patience);
    const path = analysis(game.name, scene.position);
    const shown = here();
    if (fresh && path !== shown.pathname + shown.search) history.pushState(null, '', address(path));
    else history.replaceState(null, '', address(path));
    entitle(t('nav.analyse'), titleOf(game));
  }

  /** Shows the position of the address that the browser has gone back to, if it is in the tree. @param {Event} event */
  #return = (event) => {
    const { pathname, searchParams: query } = here();
    if (pathname !== '/analyse' || query.get('game') !== this.#state.game.name) return;
    for (const tree of [this.#tree, ...this.#former]) {
      const place = tree.find(query.get('position') ?? '');
      if (!place) continue;
      event.preventDefault();
      this.#tree = tree;
      return void this.#panel.visit(place);
    }
  };

  /** Goes to another game. @param {string} name */
  async #choose(name) {
    const game = await find(name);
    this.#enter(game);
    await this.#set(example(game));
  }

  /** Changes the analysed board. @param {Board} board @param {string[]} rest the fields behind the board */
  async #change(board, rest) {
    this.#state.change(board, rest);
    this.#rollout.forget();
    this.#problem.textContent = '';
    this.#render();
    await this.#set(this.#state.written);
  }

  /** Changes the pieces on the board. @param {(squares: Square[]) => void} edit */
  #edit(edit) {
    const { board, rest } = this.#state.current;
    const changed = structuredClone(board);
    edit(changed.squares);
    void this.#change(changed, rest);
  }

  /** Writes the position where it can be typed. */
  #name() {
    this.#text.value = this.#state.written;
    this.#text.removeAttribute('aria-invalid');
  }

  #showResults() {
    this.#results.show(Boolean(this.#problem.textContent));
    this.#rollout.show();
  }

  #render() {
    clearTimeout(this.#late);
    this.#late = undefined;
    this.#table.show();
    this.#panel.show();
    redraw(this.element, () => {
      this.#name();
      this.#rights.hidden = !editor(this.#state.game.name).rights.length;
      this.#palette.show();
      this.#settings.show();
    });
    this.#showResults();
  }
}
