// How to play with others, on the first page: a name, a code that somebody has passed on, and the games on this server
// that anybody may join. A page without a server has the name only, which its records then have.

import { get, post, remember, secret } from '../../api.js';
import { alone } from '../../device.js';
import { capital, fill, h } from '../../dom.js';
import { sideOf, t, titleOf } from '../../language.js';
import { MAX_NAME, among, ownName, rename } from '../../person.js';
import { storage } from '../../storage.js';
import { go, sentence } from '../shared.js';
import { timed } from './fields.js';

/** The time between updates of the list, in milliseconds. */
const AGAIN = 4000;
/** The number of letters of a code. */
const LETTERS = 5;

/** The token for each code that was tried: after a lost answer the same one joins again. @type {Map<string, string>} */
const tokens = new Map();

/** Joins the game with a code, and shows it. @param {string} code */
async function join(code) {
  const own = storage.keys().find((key) => key.startsWith('code:') && storage.get(key) === code);
  if (own) return go(`/room/${own.slice('code:'.length)}`);
  const token = tokens.get(code) ?? secret();
  tokens.set(code, token);
  const { id } = /** @type {Room} */ (await post('/api/join', { code, token, name: ownName() }));
  remember(id, token);
  go(`/room/${id}`);
}

export class Others {
  element;
  #games;
  #problem = h('p', { class: 'problem', role: 'alert' });
  #list = h('ul', { class: 'open-games' });
  /** The list as it is drawn, which stays while nothing has changed, so that a press meets what it was meant for. */
  #shown = '';
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  /** @param {Site} site */
  constructor({ games, lobby }) {
    this.#games = games;
    this.element = h('section', { class: 'others' }, h('h2', {}, t('others.title')), this.#name(),
      !alone && this.#code(), this.#problem, lobby && h('h3', {}, t('others.open')), lobby && this.#list);
    if (!lobby) return;
    void this.#load();
    this.#timer = setInterval(() => document.hidden || void this.#load(), AGAIN);
  }

  close() {
    clearInterval(this.#timer);
  }

  #name() {
    const field = h('input', { type: 'text', value: ownName(), maxLength: MAX_NAME, autocomplete: 'nickname', spellcheck: false, oninput: () => rename(field.value) });
    return h('label', { class: 'field' }, h('span', {}, t('others.name')), field, h('span', {}, t('others.visible')));
  }

  #code() {
    const field = h('input', { type: 'text', class: 'code', autocomplete: 'off', autocapitalize: 'characters', spellcheck: false, maxLength: 12 });
    const enter = (/** @type {Event} */ event) => {
      event.preventDefault();
      const code = field.value.replace(/[^a-z]/gi, '').toUpperCase();
      if (code.length === LETTERS) void this.#join(code);
      else this.#problem.textContent = t('others.letters');
    };
    return h('form', { onsubmit: enter }, h('label', { class: 'field' }, h('span', {}, t('others.code')), field), h('button', { type: 'submit' }, t('others.join')));
  }

  /** @param {string} code */
  async #join(code) {
    this.#problem.textContent = '';
    try {
      await join(code);
    } catch (error) {
      const { status, wait, message } = /** @type {any} */ (error);
      const told = status === 404 ? t('others.unknown') : status === 429 ? t('others.guesses', { seconds: wait }) : sentence(message);
      this.#problem.textContent = told;
      void this.#load();
    }
  }

  async #load() {
    const open = /** @type {OpenGame[] | null} */ (await get('/api/lobby').catch(() => null));
    const shown = JSON.stringify(open);
    if (!open || shown === this.#shown) return;
    this.#shown = shown;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.code;
    fill(this.#list, ...open.map((game) => this.#row(game)), open.length === 0 && h('li', { class: 'soft' }, t('others.nobody')));
    if (focused) /** @type {HTMLElement | null} */ (this.#list.querySelector(`[data-code="${focused}"]`))?.focus();
  }

  /** @param {OpenGame} open */
  #row({ id, code, game: name, name: who, side, clock }) {
    const game = this.#games.find((known) => known.name === name);
    const time = clock ? timed(Math.ceil(clock.seconds / 60), clock.increment) : t('others.unclocked');
    const words = [game ? titleOf(game) : name, time, game && t('others.side', { side: sideOf(game, side) })].filter(Boolean).join(' · ');
    const own = storage.get(`code:${id}`) === code;
    const text = own ? t('others.own') : t('others.against', { name: who ? among(who) : t('others.guest') });
    return h('li', {}, h('button', { type: 'button', 'data-code': code, onclick: () => void this.#join(code) }, capital(text)), h('span', { class: 'soft' }, words));
  }
}
