// The dice of a game: they tumble when a new throw comes.

import { fill, h, still } from './dom.js';
import { die } from './men.js';

class Dice extends HTMLElement {
  #shown = '';
  /** @type {number | undefined} */
  #timer;

  connectedCallback() {
    this.setAttribute('role', 'img');
    if (!this.#shown) this.show(null, ['1']);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  /**
   * Shows a throw. A new `key` makes the dice tumble.
   * @param {string | null} roll
   * @param {string[]} faces what the dice can show
   * @param {string} [key]
   * @param {string | null} [left] the dice that are not used yet; all if left out
   * @returns {Promise<void>} when they lie still
   */
  show(roll, faces, key = '', left = roll) {
    clearInterval(this.#timer);
    const used = left !== null && left !== roll ? `, left: ${left}` : '';
    this.setAttribute('aria-label', roll ? `Thrown: ${roll}${used}` : 'The dice are not thrown');
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
    const fresh = Boolean(roll) && key !== this.#shown;
    this.#shown = key;
    if (!roll || !fresh || still()) {
      draw(roll ?? ' ');
      rest();
      return Promise.resolve();
    }
    this.classList.add('tumbling');
    return new Promise((done) => {
      let left = 6;
      this.#timer = setInterval(() => {
        left -= 1;
        draw(left > 0 ? faces[Math.floor(Math.random() * faces.length)] : roll);
        if (left > 0) return;
        clearInterval(this.#timer);
        this.classList.remove('tumbling');
        done();
      }, 75);
      draw(faces[0]);
    });
  }
}

customElements.define('wf-dice', Dice);

/** @returns {Dice} */
export const dice = () => /** @type {Dice} */ (document.createElement('wf-dice'));

/**
 * A throw in a line of text.
 * @param {string} roll
 */
export const inline = (roll) =>
  h('span', { class: 'inline-dice', role: 'img', 'aria-label': `throw ${roll}` }, ...[...roll].map(die));
