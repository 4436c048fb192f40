// The values of the moves of the position, as far as they are known.

import { short } from '../../chart.js';
import { inline } from '../../dice.js';
import { capital, fill, h, percent, redraw } from '../../dom.js';
import { called, sideOf, t } from '../../language.js';
import { spoken } from '../../moves.js';
import { moveTable, rollTable, turnTable } from '../../scores.js';
import { ending } from '../shared.js';

/** How many turns of the principal variation are shown. */
const MAX_TURNS = 10;

/**
 * @typedef {object} Doing
 * @property {(...moves: string[]) => void} play
 * @property {(position: string) => void} set goes to another position
 * @property {() => void} drawBoard
 */

export class Results {
  element = h('div', { class: 'results' });
  #state;
  #doing;
  #firstMoves = h('div');
  /** The first moves beside whole turns. It stays the same element, or a click between two reports would be lost. */
  #folded = h('details', { class: 'first-moves' }, h('summary', {}, t('analyse.first')), this.#firstMoves);

  /** @param {import('./state.js').AnalysisState} state @param {Doing} doing */
  constructor(state, doing) {
    this.#state = state;
    this.#doing = doing;
  }

  /** @param {boolean} wrong whether something is wrong, which stands elsewhere */
  show(wrong) {
    redraw(this.element, () => fill(this.element, ...this.#words(wrong)));
  }

  /** @param {boolean} wrong */
  #words(wrong) {
    const { draft, scene, report, game } = this.#state;
    const note = (/** @type {string} */ text) => [h('p', { class: 'note' }, text)];
    if (draft) return note(wrong ? t('analyse.draft') : t('analyse.searching'));
    if (scene.result) return note(t('analyse.over', { ending: ending(game, { result: scene.result, reason: 'rules' }, scene) }));
    if (!report) return [h('p', { class: 'searching note' }, wrong ? '' : t('analyse.searching'))];
    return [
      this.#verdict(report),
      report.turns && turnTable(report.turns, scene.side, { hover: (moves) => this.#lookAt(moves), choose: (moves) => this.#doing.play(...moves) }),
      report.moves && this.#moves(report.moves, report.turns !== undefined),
      report.rolls && rollTable(report.rolls, scene.side, (roll) => {
        const rolled = scene.rolls.find((known) => known.roll === roll);
        if (rolled) this.#doing.set(rolled.position);
      }),
      report.line && report.line.length > 0 && this.#line(report.line),
      effort(report),
    ];
  }

  /** The first moves; where whole turns are compared, they are there for those who ask. @param {Scored[]} moves @param {boolean} folded */
  #moves(moves, folded) {
    const table = moveTable(moves, this.#state.scene.side, { hover: (move) => this.#lookAt(move === null ? null : [move]), choose: this.#doing.play });
    if (!folded) return table;
    fill(this.#firstMoves, table);
    return this.#folded;
  }

  /** @param {Report} report */
  #verdict(report) {
    const { game, scene, begun } = this.#state;
    const scored = report.moves ?? report.rolls?.flatMap(({ moves }) => moves) ?? [];
    const known = scored.length > 0 && scored.every(({ exact }) => exact);
    const key = !scene.roll ? 'verdict.before' : begun ? 'verdict.left' : 'verdict.rolled';
    const told = t(key, { side: capital(sideOf(game, scene.side)), roll: spoken(scene.roll ?? '') });
    return h('p', { class: 'verdict' }, h('b', {}, percent(report.value)), h('span', {}, told, known ? '' : t('verdict.agent', { agent: report.agent })));
  }

  /** The principal variation. @param {string[]} line */
  #line(line) {
    const turns = line.slice(0, MAX_TURNS).map((part) => {
      const [roll, move] = part.split(' ');
      return h('span', { class: 'turn-chip' }, inline(roll.replace('@', '')), move);
    });
    return h('p', {
      class: 'variation',
      onpointerenter: () => this.#lookAt(this.#state.best),
      onpointerleave: () => this.#lookAt(null),
    }, h('span', { class: 'soft' }, t('analyse.line')), ...turns);
  }

  /** @param {string[] | null} moves */
  #lookAt(moves) {
    this.#state.hovered = moves;
    this.#doing.drawBoard();
  }
}

/** The depth, the nodes and the time of the search. @param {Report} report */
function effort({ agent, depth, nodes, counted = 'positions', seconds, last, here }) {
  const rate = nodes / Math.max(seconds, 1e-9);
  const searched = t('effort.words', { agent, depth, nodes, counted: called(`counted.${counted}`, counted), rate: short(rate) });
  const words = here ? t('effort.here', { words: searched }) : searched;
  return h('p', { class: 'soft meta' }, last ? '' : h('span', { class: 'pulse', 'aria-hidden': 'true' }), last ? words : t('effort.on', { words }));
}
