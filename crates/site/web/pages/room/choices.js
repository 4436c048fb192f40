// Choices that squares of the board cannot offer: rolls that people enter, moves without squares, and
// promotions.

import { capital, fill, h } from '../../dom.js';
import { sideOf, t } from '../../language.js';
import { unsquared } from '../../moves.js';
import { whichMove } from '../../promotion.js';
import { rollButtons } from '../../rolls.js';

export class Choices {
  element = h('div', { class: 'offers' });
  #state;
  #act;
  #leave;

  /**
   * @param {import('./state.js').RoomState} state
   * @param {(action: import('./line.js').Action) => void} act
   * @param {() => void} leave called when a question is left without an answer
   */
  constructor(state, act, leave) {
    this.#state = state;
    this.#act = act;
    this.#leave = leave;
  }

  /** Whether a person at this browser enters the roll. */
  #isTyping() {
    const { room, earlier, held, mine, typed } = this.#state;
    const { begun, end, scene, apart } = room;
    return typed && begun && !end && !scene.roll && !earlier && (apart ? mine : held.length > 0);
  }

  /** @param {boolean} turn whether somebody here is to move */
  show(turn) {
    const { room: { scene }, typed, pass } = this.#state;
    const plain = scene.moves.filter(({ from }) => from === null);
    if (this.#isTyping()) {
      const side = sideOf(this.#state.game, scene.side);
      fill(this.element, h('span', { class: 'offer-title' }, t('choice.rolled', { side })), ...rollButtons(scene.rolls, null, ({ roll }) => this.#act({ do: 'roll', roll })));
    } else if (turn && pass) {
      const words = h('span', { class: 'offer-title soft' }, t(typed ? 'choice.stuck' : 'choice.passes'));
      fill(this.element, words, typed && this.#button(pass.text, t('choice.pass')));
    } else if (turn && plain.length) {
      fill(this.element, ...plain.map(({ text }) => this.#button(text, capital(unsquared(text)))));
    } else this.clear();
  }

  /** Asks for one of several moves between the same squares. @param {Move[]} moves */
  ask(moves) {
    const onkeydown = (/** @type {KeyboardEvent} */ { key }) => {
      if (key === 'Escape') this.#leave();
    };
    const cancel = h('button', { type: 'button', onclick: this.#leave }, t('choice.cancel'));
    fill(this.element, ...[...whichMove(moves, (move) => this.#act({ do: 'move', move })), cancel].map((node) => Object.assign(node, { onkeydown })));
    this.element.querySelector('button')?.focus();
  }

  /** A button that plays a move. @param {string} move @param {...(Node | string)} words */
  #button(move, ...words) {
    return h('button', { type: 'button', onclick: () => this.#act({ do: 'move', move }) }, ...words);
  }

  clear() {
    fill(this.element);
  }
}
