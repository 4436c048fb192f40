// Explains a move in a sentence, from an analysis.

import { listen } from '../../api.js';
import { h } from '../../dom.js';
import { sideOf, t } from '../../language.js';
import { sentence } from '../../moves.js';
import { storage } from '../../storage.js';

/** The key under which the choice to explain an agent's moves is stored. */
const EXPLAINED = 'explain';

export class Explanation {
  element = h('p', { class: 'why', 'aria-live': 'polite' });
  #state;
  /** @type {{ close: () => void } | undefined} */
  #asking;

  /** @param {import('./state.js').RoomState} state */
  constructor(state) {
    this.#state = state;
    /** Whether all moves of the agent are explained. */
    this.always = state.opposed && state.fair && storage.get(EXPLAINED) === 'on';
  }

  /** Switches the explanation of all moves of the agent on or off. */
  toggle() {
    const { steps, players } = this.#state.room;
    this.always = !this.always;
    storage.set(EXPLAINED, this.always ? 'on' : 'off');
    const last = steps.findLast((step) => players[step.side].kind === 'agent');
    if (this.always && last) this.explain(last);
    else this.clear();
  }

  /** @param {Pick<ShownStep, 'position' | 'side' | 'move'>} step */
  explain(step) {
    const { game } = this.#state;
    this.#asking?.close();
    this.element.textContent = t('why.looking');
    const question = listen('/api/analyse', (/** @type {Report & { error?: string }} */ report) => {
      if (report.error) this.element.textContent = report.error;
      else this.element.textContent = sentence(sideOf(game, step.side), step.move, report.moves ?? [], report.agent);
      if (report.error || report.last) question.close();
    });
    this.#asking = question;
    question.send({ game: game.name, position: step.position });
  }

  clear() {
    this.element.textContent = '';
  }

  close() {
    this.#asking?.close();
  }
}
