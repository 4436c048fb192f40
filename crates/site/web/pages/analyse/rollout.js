// The rollout of the best moves: what is to be played, how far it is, and which move is the best in play.

import { listen } from '../../api.js';
import { fill, h, head, percent, select, signed } from '../../dom.js';
import { unsquared } from '../../moves.js';
import { copy, say } from '../shared.js';

const MOVES = ['2', '3', '5', '10'];
const GAMES = ['300', '1000', '3000', '10000'];
/** After how many turns games are cut; none plays them to their end. */
const TURNS = ['', '4', '8', '16'];
/** Half a 95 % interval, in standard errors. */
const WIDE = 1.96;

/** A number of points of a hundred. @param {number | null} value */
const points = (value) => (value === null ? '–' : (100 * value).toFixed(1));

export class Rollout {
  #state;
  /** @type {ReturnType<typeof listen> | null} */
  #socket = null;
  /** @type {RolloutReport | null} */
  #report = null;
  #problem = '';
  #tag = 0;
  #chosen = { moves: '3', games: '1000', turns: '', seed: '1' };
  #found = h('div', { class: 'found' });
  #button = h('button', { type: 'button', onclick: () => (this.#socket ? this.#stop() : this.#start()) }, 'Roll out');
  #command = h('input', { type: 'text', readOnly: true, spellcheck: false, 'aria-label': 'Command for this rollout' });

  /** @param {import('./state.js').AnalysisState} state */
  constructor(state) {
    this.#state = state;
    this.element = h('section', { class: 'rollout', 'aria-label': 'Rollout', hidden: true },
      h('div', { class: 'actions' }, this.#button, this.#settings()),
      this.#found);
  }

  /** Forgets the results, because something else is analysed now. */
  forget() {
    this.close();
    this.#report = null;
    this.#problem = '';
    this.#draw();
  }

  /** Ends the games. */
  close() {
    this.#socket?.close();
    this.#socket = null;
  }

  /** Offers a rollout where there are moves to choose from. */
  show() {
    const { draft, report } = this.#state;
    const begun = this.#socket !== null || this.#report !== null;
    this.element.hidden = draft !== null || (!begun && (report?.moves?.length ?? 0) < 2);
  }

  #settings() {
    const number = (/** @type {string} */ text) => Number(text).toLocaleString();
    const games = GAMES.map((value) => ({ value, label: `${number(value)} of each move` }));
    const turns = TURNS.map((value) => ({ value, label: value ? `cut after ${value} turns` : 'played to their end' }));
    const { moves: most, games: many, turns: cut, seed } = this.#chosen;
    const choose = (/** @type {'moves' | 'games' | 'turns' | 'seed'} */ name) => (/** @type {string} */ value) => {
      this.#chosen[name] = value;
    };
    const typed = h('input', { type: 'text', inputMode: 'numeric', value: seed, onchange: () => choose('seed')(typed.value.trim()) });
    return h('details', {}, h('summary', {}, 'Settings of the rollout'), h('div', { class: 'fields' },
      select('Moves, the best ones', MOVES.map((value) => ({ value, label: value })), most, choose('moves')),
      select('Games', games, many, choose('games')),
      select('Games are', turns, cut, choose('turns')),
      h('label', { class: 'field' }, h('span', {}, 'Seed'), typed)));
  }

  #start() {
    this.forget();
    const { moves, games, turns, seed } = this.#chosen;
    if (!/^\d{1,15}$/.test(seed)) {
      this.#problem = `seed '${seed}': expected a whole number of at most 15 digits`;
      return this.#draw();
    }
    const { game, scene, agent } = this.#state;
    this.#tag += 1;
    this.#socket = listen('/api/rollout', (message) => this.#hear(message));
    this.#socket.send({
      game: game.name, position: scene.position, agent, moves: Number(moves), games: Number(games),
      truncate: turns ? Number(turns) : null, seed: Number(seed), tag: this.#tag,
    });
    this.#draw();
  }

  #stop() {
    this.close();
    this.#draw();
  }

  /** @param {RolloutReport & { error?: string }} message */
  #hear(message) {
    if (message.error) this.#problem = message.error;
    else this.#report = message;
    if (message.error || message.last) this.close();
    this.#draw();
    if (message.last) say(this.#verdict(message).join(' '));
  }

  #draw() {
    const report = this.#report;
    this.#button.textContent = this.#socket ? 'Stop' : 'Roll out';
    if (this.#problem) return fill(this.#found, h('p', { class: 'problem', role: 'alert' }, this.#problem));
    if (!report) return fill(this.#found, this.#socket && h('p', { class: 'note' }, h('span', { class: 'pulse', 'aria-hidden': 'true' }), 'Rolling out …'));
    const [best, sure] = this.#verdict(report);
    fill(this.#found,
      h('p', { class: 'verdict' }, best),
      this.#socket && h('progress', { max: report.wanted, value: Math.min(report.wanted, report.moves[0].games), 'aria-label': 'Games of the best move' }),
      table(report.moves),
      h('p', {}, sure),
      this.#effort(report));
  }

  /** Which move is the best, and how sure that is. @param {RolloutReport} report */
  #verdict({ moves, error_rate, complete, last, wanted }) {
    const [first, ...others] = moves;
    const [low, high] = first.interval;
    const left = others.filter(({ dropped }) => !dropped).map(({ move }) => unsquared(move));
    const best = `${unsquared(first.move)} ${complete && !left.length ? 'is the best' : 'leads'} with ${percent(first.value)} (95 % interval ${points(low)} to ${points(high)})`;
    const rate = `${(100 * error_rate).toFixed(0)} %`;
    const games = `${first.games.toLocaleString()} of ${wanted.toLocaleString()} games`;
    const words = left.length
      ? `Not told apart from it: ${left.join(', ')}.`
      : `All others are behind it by more than chance explains; the probability that the best move was dropped is at most ${rate}.`;
    if (complete) return [best, words];
    if (last) return [best, `${words} The site ends a rollout after a minute of search, here after ${games}; the command goes on.`];
    return [best, this.#socket ? `${games}. ${words}` : `Stopped after ${games}. ${words}`];
  }

  /** The rollout's settings, and how to repeat it. @param {RolloutReport} report */
  #effort({ agent, games, faults, truncate, seed, seconds, command, complete }) {
    this.#command.value = command;
    const cut = truncate ? `cut after ${truncate} turns` : 'played to their end';
    const lost = faults ? `, ${faults} of them lost by a fault` : '';
    const words = `${agent} plays both sides, one turn ahead if it has no bounds of its own: ${games.toLocaleString()} games in ${seconds.toFixed(1)} s, ${cut}${lost}; seed ${seed}. ${complete ? 'The command gives the same result' : 'The command plays to the end'}:`;
    return h('div', {}, h('p', { class: 'soft meta' }, words), h('div', { class: 'copying' }, this.#command,
      h('button', { type: 'button', onclick: (/** @type {Event} */ event) => this.#copy(event) }, 'Copy')));
  }

  /** @param {Event} event */
  async #copy(event) {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    button.textContent = (await copy(this.#command)) ? 'Copied' : 'Selected';
  }
}

/** The moves, the best first, those that were dropped last. @param {ComparedMove[]} moves */
function table(moves) {
  const row = (/** @type {ComparedMove} */ { move, value, interval, behind, games, dropped }, /** @type {number} */ place) =>
    h('tr', { class: place === 0 ? 'best' : '' },
      h('th', { scope: 'row' }, unsquared(move)),
      h('td', { class: 'number' }, percent(value), h('span', { class: 'aside soft' }, `${points(interval[0])}–${points(interval[1])}`)),
      h('td', { class: 'number soft' }, behind ? `${behind.value === null ? '–' : signed(-100 * behind.value)} ± ${points(behind.standard_error === null ? null : WIDE * behind.standard_error)}` : ''),
      h('td', { class: 'number soft' }, games.toLocaleString(), dropped && h('span', { class: 'aside' }, 'dropped')));
  return h('table', { class: 'scored' },
    h('caption', { class: 'unseen' }, 'Wins in games after each move on the same dice, for the side that moves'),
    head(['Move', '#Wins, 95 %', '#Behind', '#Games']),
    h('tbody', {}, ...moves.map(row)));
}
