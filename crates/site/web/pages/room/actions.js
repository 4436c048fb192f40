// The buttons below the panel: resigning, aborting, taking back, and links to other pages.

import { fill, h } from '../../dom.js';
import { get } from '../../api.js';
import { isOwn, saveOwn } from '../../local.js';
import { analysis, copyText } from '../shared.js';
import { bothMoved } from './people.js';

/** @typedef {import('./state.js').Final} Final */

/**
 * @typedef {object} Doing
 * @property {(action: import('./line.js').Action) => void} act
 * @property {(what: Final | null) => void} confirm carries out the action after the question
 * @property {() => void} draw redraws everything
 * @property {() => void} turn flips the board
 * @property {() => void} explain switches the explanation of the agent's moves on or off
 * @property {(step: ShownStep) => void} why explains a move
 * @property {() => void} back returns to the game
 */

/** The questions before actions that end a game. @type {Record<Final, { question: string, yes: string }>} */
const QUESTIONS = {
  resign: { question: 'Resign this game?', yes: 'Yes, resign' },
  abort: { question: 'Abort this game?', yes: 'Yes, abort it' },
};

/** Copies the game of a room as a list of rolls and moves. @param {HTMLElement} pressed @param {string} id */
async function copyMoves(pressed, id) {
  const { start, steps, end } = /** @type {RoomRecord} */ (await get(`/api/rooms/${encodeURIComponent(id)}/record`));
  const moves = steps.map(({ roll, move, rest }) => (rest ? move : `@${roll} ${move}`));
  const result = end && end.reason !== 'aborted' ? [end.result] : [];
  await copyText(pressed, [start, ...moves, ...result].join(' '));
}

/** For how long, in milliseconds, a question takes no answer: the second tap of two quick ones is none. */
const PAUSE = 600;

/** @param {string} text @param {(event: Event) => void} onclick @param {Record<string, unknown>} [properties] */
const button = (text, onclick, properties = {}) => h('button', { type: 'button', onclick, ...properties }, text);

export class Actions {
  element = h('div', { class: 'actions' });
  more = h('div', { class: 'actions minor' });
  #state;
  #doing;
  /** The values that decide which elements are shown. */
  #shown = '';

  /** @param {import('./state.js').RoomState} state @param {Doing} doing */
  constructor(state, doing) {
    this.#state = state;
    this.#doing = doing;
  }

  /** @param {boolean} explained whether the agent's moves are explained */
  show(explained) {
    const { room, held, me, asked, opposed } = this.#state;
    const { scene, end, apart, begun, undo, clock, steps } = room;
    // A button that is replaced between press and release loses the click, so those that would be the same stay.
    const shown = JSON.stringify([explained, held, me, asked, opposed, scene.position, end, apart, begun, undo, Boolean(clock), steps.length]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    fill(this.element, ...(room.end ? this.#over() : this.#running()));
    fill(
      this.more,
      this.#isFair() && h('a', { class: 'button', href: analysis(room.game, room.scene.position) }, 'Analyse'),
      button('Turn the board', this.#doing.turn),
      isOwn(room.id)
        ? h('button', { type: 'button', onclick: () => void saveOwn(room.id) }, 'Save')
        : h('a', { class: 'button', href: `/api/rooms/${room.id}/record`, download: '' }, 'Save'),
      steps.length > 0 && button('Copy text', (/** @type {Event} */ event) => void copyMoves(/** @type {HTMLElement} */ (event.currentTarget), room.id)),
      h('a', { class: 'button', href: `/learn?game=${room.game}` }, 'Rules'),
      opposed && this.#isFair() && button('Explain its moves', this.#doing.explain, { 'aria-pressed': String(explained) }),
    );
  }

  /** The actions while an earlier step is shown. @param {ShownStep} step */
  showPast(step) {
    this.#shown = '';
    fill(
      this.element,
      button('Back to the game', this.#doing.back, { class: 'primary' }),
      this.#isFair() && button('Why?', () => this.#doing.why(step)),
      this.#isFair() && h('a', { class: 'button', href: analysis(this.#state.room.game, step.position) }, 'Analyse'),
    );
    fill(this.more);
  }

  /** Whether an engine may be asked: not while two people play on two devices, nor during any game if the site does not allow it. */
  #isFair() {
    const { apart, end } = this.#state.room;
    return Boolean(end) || (!apart && this.#state.advice);
  }

  /** The actions during the game. */
  #running() {
    const { room, held, me, asked } = this.#state;
    const { begun, apart, steps, clock, undo } = room;
    if (held.length === 0) return [];
    if (asked) {
      const { question, yes } = QUESTIONS[asked];
      return [
        h('span', { class: 'offer-title' }, question),
        this.#sure(yes),
        this.#question(null, 'No, play on'),
      ];
    }
    const moved = steps.some(({ side }) => side === me);
    const back = apart
      ? button('Ask to take back', () => this.#doing.act({ do: 'offer', what: 'take-back' }), { disabled: !moved || Boolean(clock || apart.offer) })
      : button('Take back', () => this.#doing.act({ do: 'undo' }), { disabled: !undo });
    const early = apart && !bothMoved(room);
    return [begun && back, early ? this.#question('abort', 'Abort game') : begun && this.#question('resign', 'Resign')];
  }

  /** A button that shows or hides the question before an action. @param {Final | null} what @param {string} text */
  #question(what, text) {
    return button(text, () => {
      this.#state.asked = what;
      this.#doing.draw();
      if (what) /** @type {HTMLElement | null} */ (this.element.querySelector('button:last-of-type'))?.focus();
    });
  }

  /** The button that ends the game, which waits for the second tap of two quick ones to pass. @param {string} text */
  #sure(text) {
    const sure = button(text, () => this.#doing.confirm(this.#state.asked), { class: 'primary', disabled: true });
    setTimeout(() => (sure.disabled = false), PAUSE);
    return sure;
  }

  /** The actions after the game. */
  #over() {
    const { room, me } = this.#state;
    const { id, game, apart, steps, dice, end } = room;
    if (end?.reason === 'aborted') return [h('a', { class: 'button primary', href: `/?game=${game}` }, 'New game')];
    const rematch = apart && (apart.next
      ? h('a', { class: 'button primary', href: `/room/${apart.next}` }, 'To the rematch')
      : me !== null && !apart.offer && button('Rematch', () => this.#doing.act({ do: 'offer', what: 'rematch' }), { class: 'primary' }));
    return [
      apart ? rematch : h('a', { class: 'button primary', href: `/?game=${game}` }, 'Play again'),
      steps.length > 0 && h('a', { class: 'button', href: `/review/${id}` }, 'Review'),
      dice.kind === 'fair' && h('a', { class: 'button', href: `/dice/${id}` }, 'Check the dice'),
    ];
  }
}
