// The dice of a game, which tumble when there is a new roll.

import { fill, h, still } from './dom.js';
import { t } from './language.js';
import { die } from './pieces.js';

class Dice extends HTMLElement {
  #shown = '';
  /** @type {number | undefined} */
  #timer;
  /** Resolves the promise of the dice that are tumbling. @type {(() => void) | undefined} */
  #done;

  connectedCallback() {
    this.setAttribute('role', 'img');
    if (!this.children.length) void this.show(null, ['1']);
  }

  disconnectedCallback() {
    this.#rest();
  }

  /** Ends the animation, and with it the wait for it. */
  #rest() {
    clearInterval(this.#timer);
    this.classList.remove('tumbling');
    this.#done?.();
    this.#done = undefined;
  }

  /**
   * Shows a roll. The dice tumble when `key` is a new one, and appear at rest without a key.
   * @param {string | null} roll
   * @param {string[]} faces the faces that the dice have
   * @param {string} [key]
   * @param {string | null} [left] the dice that are not used yet (default: all)
   * @returns {Promise<void>} resolves when the dice are at rest
   */
  show(roll, faces, key = '', left = roll) {
    this.#rest();
    const told = !roll ? t('dice.none') : left !== null && left !== roll ? t('dice.left', { roll, left }) : t('dice.rolled', { roll });
    this.setAttribute('aria-label', told);
    this.classList.toggle('waiting', !roll);
    const draw = (/** @type {string} */ text) => fill(this, ...[...(text || ' ')].map((face) => die(face)));
    const rest = () => {
      const unused = [...(left ?? '')];
      for (const [place, face] of [...(roll ?? '')].entries()) {
        const at = unused.indexOf(face);
        if (at < 0) this.children[place].classList.add('used');
        else unused.splice(at, 1);
      }
    };
    const fresh = Boolean(roll) && key !== '' && key !== this.#shown;
    this.#shown = key;
    if (!roll || !fresh || still()) {
      draw(roll ?? ' ');
      rest();
      return Promise.resolve();
    }
    this.classList.add('tumbling');
    // Screen readers are told the roll only when the dice are at rest.
    this.setAttribute('aria-label', t('dice.rolling'));
    return new Promise((done) => {
      this.#done = done;
      let left = 6;
      this.#timer = setInterval(() => {
        left -= 1;
        draw(left > 0 ? faces[Math.floor(Math.random() * faces.length)] : roll);
        if (left > 0) return;
        this.setAttribute('aria-label', told);
        this.#rest();
      }, 75);
      draw(faces[0]);
    });
  }
}

customElements.define('wf-dice', Dice);

/** @returns {Dice} */
export const dice = () => /** @type {Dice} */ (document.createElement('wf-dice'));

/**
 * A roll within a line of text.
 * @param {string} roll
 */
export const inline = (roll) =>
  h('span', { class: 'inline-dice', role: 'img', 'aria-label': t('dice.roll', { roll }) }, ...[...roll].map(die));
