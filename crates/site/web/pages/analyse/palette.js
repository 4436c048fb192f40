// The tools that edit a board: pieces to place, boards to begin with, and the other fields of the position.

import { capital, choose, fill, h } from '../../dom.js';
import { editor, supported } from '../../editor.js';
import { sideOf, t } from '../../language.js';
import { drawn, spelled } from '../../pieces.js';
import { MOVE } from './state.js';

/**
 * @typedef {object} Doing
 * @property {() => void} drawBoard
 * @property {(edit: (squares: Square[]) => void) => void} edit changes the pieces on the board
 * @property {(board: Board, rest: string[]) => void} change changes the board and the fields behind it
 * @property {(position: string) => void} set goes to another position
 */

export class Palette {
  element = h('div', { class: 'palette' });
  #state;
  #doing;

  /** @param {import('./state.js').AnalysisState} state @param {Doing} doing */
  constructor(state, doing) {
    this.#state = state;
    this.#doing = doing;
  }

  show() {
    fill(this.element, ...(this.#state.editing ? [this.#brushes(), this.#boards(), this.#rights()] : []));
  }

  #brushes() {
    const { game, brush } = this.#state;
    const kinds = new Map(game.start.board.squares.flatMap(({ piece }) => (piece ? [[piece.letter, piece]] : [])));
    const pieces = [...kinds.values()].sort((one, other) => one.side - other.side || one.label.localeCompare(other.label));
    const brushes = [
      { value: MOVE, label: t('edit.move') },
      { value: '', label: t('edit.remove') },
      ...pieces.map((piece) => ({
        value: piece.letter,
        label: h('span', { class: 'brush', role: 'img', 'aria-label': t('square.piece', { side: sideOf(game, piece.side), piece: spelled(piece) }) }, drawn(piece)),
      })),
    ];
    return choose(t('edit.label'), brushes, brush, (value) => {
      this.#state.brush = value;
      this.#doing.drawBoard();
    });
  }

  #boards() {
    const clear = () => this.#doing.edit((all) => all.forEach((square) => delete square.piece));
    return h('div', { class: 'actions' },
      h('button', { type: 'button', onclick: clear }, t('edit.clear')),
      h('button', { type: 'button', onclick: () => this.#doing.set(this.#state.game.start.at_rest) }, t('edit.start')));
  }

  /** The castling rights and the like, if the game has any. */
  #rights() {
    const { game, current } = this.#state;
    const { board, rest } = current;
    const { rights, given, give } = editor(game.name);
    if (!rights.length) return null;
    const letters = given(rest);
    const toggle = (/** @type {string} */ letter) => rights.map((right) => right.letter).filter((known) => letters.includes(known) !== (known === letter)).join('');
    return h('div', { class: 'actions rights', role: 'group', 'aria-label': t('edit.castling') },
      ...rights.map((right) => h('button', {
        type: 'button', 'aria-pressed': String(letters.includes(right.letter)), disabled: !supported(board, right),
        onclick: () => this.#doing.change(board, give(rest, toggle(right.letter))),
      }, t(`castles.${right.label}`, { side: capital(sideOf(game, right.side)) }))));
  }
}
