// The boards of the games in progress, all in sight: for whoever watches a class.

import { get } from '../../api.js';
import { board, isAbove } from '../../board.js';
import { capital, fill, h } from '../../dom.js';
import { sideOf, t, titleOf } from '../../language.js';
import { squares } from '../../moves.js';
import { named } from '../shared.js';

/** A game on the page, and when it was changed as it is shown. @typedef {{ card: HTMLElement, view: import('../../board.js').BoardElement, words: HTMLElement, changed: number }} Card */

export class Boards {
  element = h('ul', { class: 'boards' });
  #games;
  /** The games that are shown, by their rooms. @type {Map<string, Card>} */
  #cards = new Map();

  /** @param {Game[]} games */
  constructor(games) {
    this.#games = games;
  }

  /** Shows the games that are in progress; only those that have changed are asked for. @param {Listed[]} rooms */
  async show(rooms) {
    const cards = rooms.map(({ id }) => this.#cards.get(id) ?? this.#card(id));
    const same = cards.length === this.element.children.length && cards.every(({ card }, n) => this.element.children[n] === card);
    if (!same) fill(this.element, ...cards.map(({ card }) => card));
    this.#cards = new Map(rooms.map(({ id }, n) => [id, cards[n]]));
    for (const [n, { id, changed }] of rooms.entries()) {
      const card = cards[n];
      if (card.changed === changed) continue;
      const room = /** @type {Room | null} */ (await get(`/api/rooms/${encodeURIComponent(id)}`).catch(() => null));
      if (!room) return;
      card.changed = changed;
      this.#draw(card, room);
    }
  }

  /** A place for a game, without its board yet. @param {string} id @returns {Card} */
  #card(id) {
    const view = board();
    const words = h('a', { href: `/room/${id}` }, t('watch.game'));
    // The board can only be looked at; the link beside it leads to the game.
    return { card: h('li', {}, h('div', { inert: true }, view), words), view, words, changed: -1 };
  }

  /** @param {Card} card @param {Room} room */
  #draw({ view, words }, { game: name, scene, players, steps }) {
    const game = this.#games.find((known) => known.name === name);
    if (!game) return;
    const last = steps[steps.length - 1];
    view.show(scene.board, { label: titleOf(game), sides: game.sides, flipped: isAbove(game.start.board, 0), last: last ? squares(scene.board, last.move) : null });
    words.textContent = players.map((player, side) => t('watch.side', { side: capital(sideOf(game, side)), player: named(game, player) })).join(t('list.separator'));
  }
}
