// The rollout of the best moves: what is to be played, how far it is, and which move is the best in play.

import { listen } from '../../api.js';
import { fill, h, head, percent, points, select, signed } from '../../dom.js';
import { decimals, t } from '../../language.js';
import { together, unsquared } from '../../moves.js';
import { copy, say } from '../shared.js';

const MOVES = ['2', '3', '5', '10'];
const GAMES = ['300', '1000', '3000', '10000'];
/** After how many turns games are cut; none plays them to their end. */
const TURNS = ['', '4', '8', '16'];
/** Half a 95 % interval, in standard errors. */
const WIDE = 1.96;

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
  #button = h('button', { type: 'button', onclick: () => (this.#socket ? this.#stop() : this.#start()) }, t('rollout.begin'));
  #command = h('input', { type: 'text', readOnly: true, spellcheck: false, 'aria-label': t('rollout.command') });

  /** @param {import('./state.js').AnalysisState} state */
  constructor(state) {
    this.#state = state;
    this.element = h('section', { class: 'rollout', 'aria-label': t('rollout.title'), hidden: true },
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
    const games = GAMES.map((value) => ({ value, label: t('rollout.games', { count: Number(value) }) }));
    const turns = TURNS.map((value) => ({ value, label: value ? t('rollout.cut', { count: Number(value) }) : t('rollout.whole') }));
    const { moves: most, games: many, turns: cut, seed } = this.#chosen;
    const choose = (/** @type {'moves' | 'games' | 'turns' | 'seed'} */ name) => (/** @type {string} */ value) => {
      this.#chosen[name] = value;
    };
    const typed = h('input', { type: 'text', inputMode: 'numeric', value: seed, onchange: () => choose('seed')(typed.value.trim()) });
    return h('details', {}, h('summary', {}, t('rollout.settings')), h('div', { class: 'fields' },
      select(t('rollout.moves'), MOVES.map((value) => ({ value, label: value })), most, choose('moves')),
      select(t('column.games'), games, many, choose('games')),
      select(t('rollout.are'), turns, cut, choose('turns')),
      h('label', { class: 'field' }, h('span', {}, t('rollout.seed')), typed)));
  }

  #start() {
    this.forget();
    const { moves, games, turns, seed } = this.#chosen;
    if (!/^\d{1,15}$/.test(seed)) {
      this.#problem = t('rollout.digits', { seed });
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
    this.#button.textContent = this.#socket ? t('rollout.stop') : t('rollout.begin');
    if (this.#problem) return fill(this.#found, h('p', { class: 'problem', role: 'alert' }, this.#problem));
    if (!report) return fill(this.#found, this.#socket && h('p', { class: 'note' }, h('span', { class: 'pulse', 'aria-hidden': 'true' }), t('rollout.running')));
    const [best, sure] = this.#verdict(report);
    fill(this.#found,
      h('p', { class: 'verdict' }, best),
      this.#socket && h('progress', { max: report.wanted, value: Math.min(report.wanted, report.moves[0].games), 'aria-label': t('rollout.progress') }),
      table(report.moves),
      h('p', {}, sure),
      this.#effort(report));
  }

  /** Which move is the best, and how sure that is. @param {RolloutReport} report */
  #verdict({ moves, error_rate, complete, last, wanted }) {
    const [first, ...others] = moves;
    const [low, high] = first.interval;
    const left = others.filter(({ dropped }) => !dropped).map(({ move }) => move);
    const facts = { move: unsquared(first.move), value: percent(first.value), low: points(low), high: points(high) };
    const best = complete && !left.length ? t('rollout.best', facts) : t('rollout.leads', facts);
    const games = t('rollout.played', { games: first.games, wanted });
    const words = left.length
      ? t('rollout.open', { moves: together(left) })
      : t('rollout.sure', { rate: t('number.percent', { value: decimals(100 * error_rate, 0) }) });
    if (complete) return [best, words];
    if (last) return [best, t('rollout.minute', { words, games })];
    return [best, t(this.#socket ? 'rollout.sofar' : 'rollout.stopped', { games, words })];
  }

  /** The rollout's settings, and how to repeat it. @param {RolloutReport} report */
  #effort({ agent, games, faults, truncate, seed, seconds, command, complete }) {
    this.#command.value = command;
    const words = t('rollout.effort', {
      agent, games, seconds: decimals(seconds), seed: String(seed),
      cut: truncate ? t('rollout.cut', { count: truncate }) : t('rollout.whole'),
      lost: faults ? t('rollout.lost', { count: faults }) : '',
      command: complete ? t('rollout.same') : t('rollout.rest'),
    });
    return h('div', {}, h('p', { class: 'soft meta' }, words), h('div', { class: 'copying' }, this.#command,
      h('button', { type: 'button', onclick: (/** @type {Event} */ event) => this.#copy(event) }, t('invite.copy'))));
  }

  /** @param {Event} event */
  async #copy(event) {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    button.textContent = (await copy(this.#command)) ? t('copy.done') : t('rollout.selected');
  }
}

/** The moves, the best first, those that were dropped last. @param {ComparedMove[]} moves */
function table(moves) {
  const row = (/** @type {ComparedMove} */ { move, value, interval, behind, games, dropped }, /** @type {number} */ place) =>
    h('tr', { class: place === 0 ? 'best' : '' },
      h('th', { scope: 'row' }, unsquared(move)),
      h('td', { class: 'number' }, percent(value), h('span', { class: 'aside soft' }, `${points(interval[0])}–${points(interval[1])}`)),
      h('td', { class: 'number soft' }, behind ? `${behind.value === null ? '–' : signed(-100 * behind.value)} ± ${points(behind.standard_error === null ? null : WIDE * behind.standard_error)}` : ''),
      h('td', { class: 'number soft' }, decimals(games, 0), dropped && h('span', { class: 'aside' }, t('rollout.dropped'))));
  return h('table', { class: 'scored' },
    h('caption', { class: 'unseen' }, t('rollout.caption')),
    head([t('column.move'), `#${t('rollout.wins')}`, `#${t('column.behind')}`, `#${t('column.games')}`]),
    h('tbody', {}, ...moves.map(row)));
}
