// The first page: a board, an opponent, and a button.

import { forget, get, game as find, going, post, remember, salted, scene as look, settled, site } from '../api.js';
import { board, isAbove } from '../board.js';
import { brief } from '../brief.js';
import { capital, fill, h } from '../dom.js';
import { t, titleOf } from '../language.js';
import { exchange, shuffleSide } from '../setup.js';
import { storage } from '../storage.js';
import { apart, arranges, initial, keep, kept, own, request } from './play/choice.js';
import { Fields } from './play/fields.js';
import { Others } from './play/others.js';
import { dress, go, named, sentence } from './shared.js';

/** How many unfinished games are listed, and for how many rooms the server is asked to find them. */
const [MAX_SHOWN, MAX_ASKED] = [3, 12];

/** The longest time, in seconds, after which a game that was refused is asked for again. */
const MAX_WAIT = 60;

/** @type {Page} */
export async function play(main, _rest, query) {
  const offered = await site();
  const last = offered.games.find(({ name }) => name === kept().game);
  const game = await find(query.get('game') ?? last?.name ?? null);
  dress(main, game);
  const from = query.get('position');
  const page = new PlayPage(game, offered, initial(game, offered, query.get('mode')), from ? await look(game.name, from) : null);
  const waiting = h('section', { class: 'recent' });
  const others = new Others(offered);
  fill(main, page.elements(waiting, others.element));
  page.show();
  void unfinished(waiting, offered.games);
  return () => others.close();
}

class PlayPage {
  #game;
  #choice;
  /** When a game that was refused is asked for again. @type {ReturnType<typeof setTimeout> | undefined} */
  #again;
  /** The start position, in which the reader arranges pieces by dragging. */
  #scene;
  #fields;
  #board = board();
  #problem = h('p', { class: 'problem', role: 'alert' });
  #begin = h('button', { class: 'primary', type: 'button', onclick: () => void this.#start() }, t('play.begin'));
  /** The controls for arranging pieces, in games that have set-ups. @type {HTMLElement[]} */
  #hints = [];

  /** Whether the game begins from a position that was chosen elsewhere. */
  #given;

  /**
   * @param {Game} game
   * @param {Site} site
   * @param {import('./play/choice.js').Choice} choice
   * @param {Scene | null} given the position to begin from instead of the start
   */
  constructor(game, site, choice, given) {
    this.#game = game;
    this.#choice = choice;
    this.#scene = structuredClone(given ?? game.start);
    this.#given = given !== null;
    this.#fields = new Fields(choice, game, site, () => this.#showBoard());
    if (!game.setup || given) return;
    this.#hints = [
      h('button', { type: 'button', onclick: () => this.#shuffle() }, t('play.shuffle')),
      h('p', { class: 'soft hint' }, t('play.drag')),
    ];
  }

  /** @param {HTMLElement} waiting games that wait @param {HTMLElement} others how to play with others */
  elements(waiting, others) {
    const { name } = this.#game;
    const { aim, corners, differs } = brief(this.#game);
    return h('div', { class: 'table first' },
      h('section', { class: 'intro' },
        h('h1', {}, titleOf(this.#game)),
        h('p', { class: 'lead' }, aim),
        h('div', { class: 'actions' }, this.#begin, h('a', { class: 'button', href: `/learn/first?game=${name}` }, t('play.lesson')), h('a', { class: 'button', href: `/learn?game=${name}` }, t('play.rules'))),
        this.#problem),
      h('div', { class: 'board-side' }, this.#board, h('div', { class: 'under' }, ...this.#hints), differs && h('p', { class: 'hint' }, differs), corners && h('p', { class: 'soft hint' }, corners)),
      h('div', { class: 'panel' }, this.#fields.element, waiting, others));
  }

  show() {
    this.#fields.show();
    this.#showBoard();
  }

  #showBoard() {
    const { board } = this.#scene;
    const free = Boolean(this.#game.setup) && !this.#given && !apart(this.#choice);
    for (const hint of this.#hints) hint.toggleAttribute('hidden', !free);
    this.#board.show(board, {
      label: free ? t('play.arrange') : t('play.start'),
      sides: this.#game.sides,
      flipped: isAbove(this.#game.start.board, own(this.#choice)),
      drop: free ? (from, to) => this.#isOurs(from) && board.squares[from].piece?.side === board.squares[to].piece?.side : undefined,
      put: (from, to) => {
        exchange(board, from, to);
        this.#showBoard();
      },
    });
  }

  /** Whether the reader arranges the piece on a square. @param {number} square */
  #isOurs(square) {
    const side = this.#scene.board.squares[square].piece?.side;
    return side !== undefined && arranges(this.#choice, side);
  }

  #shuffle() {
    for (const side of [0, 1]) if (arranges(this.#choice, side)) shuffleSide(this.#scene.board, side);
    this.#showBoard();
  }

  async #start() {
    clearTimeout(this.#again);
    this.#problem.textContent = '';
    // A second click must not open a second room.
    this.#begin.disabled = true;
    keep(this.#choice);
    try {
      await open(request(this.#choice, this.#game, this.#scene, this.#given));
    } catch (error) {
      const { message, wait = Infinity } = /** @type {any} */ (error);
      this.#begin.disabled = false;
      const soon = wait <= MAX_WAIT;
      this.#problem.textContent = soon ? t('error.itself', { error: capital(message) }) : sentence(message);
      if (soon) this.#again = setTimeout(() => this.#begin.isConnected && void this.#start(), 1000 * wait);
    }
  }
}

/** Opens a room and shows it. @param {ReturnType<typeof request>} request */
export async function open(request) {
  const opened = /** @type {Room} */ (await post('/api/rooms', request));
  const { id, invitation, code, version, dice, token = '' } = opened;
  remember(id, token);
  // With an invited player, the game begins in the room when they have joined.
  if (code) storage.set(`code:${id}`, code);
  if (invitation) storage.set(`invitation:${id}`, invitation);
  else await post(`/api/rooms/${id}`, { token, version, do: 'begin', salt: salted(id, dice) });
  go(`/room/${id}`);
}

/** The list of the reader's unfinished games. @param {HTMLElement} place @param {Game[]} games */
async function unfinished(place, games) {
  const ours = [];
  for (const id of going().slice(0, MAX_ASKED)) {
    try {
      const room = /** @type {Room} */ (await get(`/api/rooms/${encodeURIComponent(id)}`));
      if (room.end) settled([id]);
      else ours.push(room);
    } catch (error) {
      const { status } = /** @type {any} */ (error);
      if (status === 404) forget(id);
      // A server that cannot be reached, or has too much to do, is not asked for the others.
      else break;
    }
    if (ours.length === MAX_SHOWN) break;
  }
  if (!ours.length) return;
  fill(place, h('h2', {}, t('play.unfinished')), h('ul', {}, ...ours.map((room) => {
    const game = games.find(({ name }) => name === room.game);
    const players = room.players.map((player) => (game ? named(game, player) : player.kind)).join(' – ');
    return h('li', {}, h('a', { href: `/room/${room.id}` }, game ? titleOf(game) : room.game), h('span', { class: 'soft' }, ` ${players}, ${room.begun ? t('play.moves', { count: room.steps.length }) : t('play.unbegun')}`));
  })));
}
