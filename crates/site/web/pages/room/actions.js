// The buttons of a room: resigning, aborting, taking back, and what is for this game only.

import { fill, h } from '../../dom.js';
import { t } from '../../language.js';
import { isOwn, saveOwn } from '../../local.js';
import { bothMoved } from './people.js';

/** @typedef {import('./state.js').Final} Final */

/**
 * @typedef {object} Doing
 * @property {(action: import('./line.js').Action) => void} act
 * @property {(what: Final | null) => void} confirm carries out the action after the question
 * @property {() => void} draw redraws everything
 * @property {() => void} explain switches the explanation of the agent's moves on or off
 * @property {() => void} why explains the move that led to the position that is shown
 * @property {import('./premove.js').Premove} premove
 * @property {() => void} back returns to the game
 */

/** The questions before actions that end a game. @type {Record<Final, { question: string, yes: string }>} */
const QUESTIONS = {
  resign: { question: t('act.resign.ask'), yes: t('act.resign.yes') },
  abort: { question: t('act.abort.ask'), yes: t('act.abort.yes') },
};

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
    const { room, held, me, asked, opposed, earlier, fair, tree } = this.#state;
    const { scene, end, apart, begun, undo, clock, steps } = room;
    const { premove, explain, back, why } = this.#doing;
    // A button that is replaced between press and release loses the click, so those that would be the same stay.
    const shown = JSON.stringify([explained, held, me, asked, opposed, scene.position, end, apart, begun, undo, Boolean(clock), steps.length, earlier && tree.current.turn, premove.on, premove.given]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    fill(this.element, ...(earlier
      ? [button(t('act.return'), back, { class: 'primary' }), fair && tree.current.move !== null && button(t('act.why'), why)]
      : room.end ? this.#over() : this.#running()));
    fill(
      this.more,
      isOwn(room.id)
        ? h('button', { type: 'button', onclick: () => void saveOwn(room.id) }, t('act.save'))
        : h('a', { class: 'button', href: `/api/rooms/${room.id}/record`, download: '' }, t('act.save')),
      h('a', { class: 'button', href: `/learn?game=${room.game}` }, t('play.rules')),
      opposed && fair && button(t('act.explain'), explain, { 'aria-pressed': String(explained) }),
      premove.possible && button(t('act.ahead'), () => premove.toggle(), { 'aria-pressed': String(premove.on), title: t('act.ahead.about') }),
    );
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
        this.#question(null, t('act.no')),
      ];
    }
    const moved = steps.some(({ side }) => side === me);
    const back = apart
      ? button(t('act.ask'), () => this.#doing.act({ do: 'offer', what: 'take-back' }), { disabled: !moved || Boolean(clock || apart.offer) })
      : button(t('act.undo'), () => this.#doing.act({ do: 'undo' }), { disabled: !undo });
    const early = apart && !bothMoved(room);
    const { premove } = this.#doing;
    return [premove.given && button(t('act.ahead.cancel'), () => premove.cancel()), begun && back, early ? this.#question('abort', t('act.abort')) : begun && this.#question('resign', t('act.resign'))];
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
    if (end?.reason === 'aborted') return [h('a', { class: 'button primary', href: `/?game=${game}` }, t('act.new'))];
    const rematch = apart && (apart.next
      ? h('a', { class: 'button primary', href: `/room/${apart.next}` }, t('act.rematch.go'))
      : me !== null && !apart.offer && button(t('act.rematch'), () => this.#doing.act({ do: 'offer', what: 'rematch' }), { class: 'primary' }));
    return [
      apart ? rematch : h('a', { class: 'button primary', href: `/?game=${game}` }, t('act.again')),
      steps.length > 0 && h('a', { class: 'button', href: `/review/${id}` }, t('review.start')),
      dice.kind === 'fair' && h('a', { class: 'button', href: `/dice/${id}` }, t('act.dice')),
    ];
  }
}
