// The board of the analysis. It shows the values of moves and plays them; while it is edited, it places pieces.

import { board } from '../../board.js';
import { fill, h } from '../../dom.js';
import { t, titleOf } from '../../language.js';
import { squares } from '../../moves.js';
import { whichMove } from '../../promotion.js';
import { MOVE } from './state.js';

/** The number of moves with arrows, on a board with at most `SMALL` columns and on a larger one. */
const [MAX_MOVES_SMALL, MAX_MOVES_LARGE, SMALL] = [6, 4, 5];

/**
 * @typedef {object} Doing
 * @property {(move: string) => void} play
 * @property {(edit: (squares: Square[]) => void) => void} edit changes the pieces on the board
 */

export class Table {
  board = board();
  /** The question what a pawn becomes. */
  question = h('div', { class: 'offers' });
  /** The position in which that is asked. */
  #asked = '';
  #state;
  #doing;

  /** @param {import('./state.js').AnalysisState} state @param {Doing} doing */
  constructor(state, doing) {
    this.#state = state;
    this.#doing = doing;
  }

  show() {
    const { game, scene, current, flipped, editing, brush, draft } = this.#state;
    const still = editing || draft !== null;
    if (still || scene.position !== this.#asked) fill(this.question);
    this.board.show(current.board, {
      label: editing ? t('board.edit') : t('board.label', { game: titleOf(game) }),
      sides: game.sides,
      flipped,
      marks: still ? [] : this.#marks(),
      moves: still ? [] : scene.moves,
      play: (moves) => (moves.length === 1 ? this.#doing.play(moves[0].text) : this.#ask(moves)),
      press: editing && brush !== MOVE ? (square) => this.#put(square) : undefined,
      drop: editing && brush === MOVE ? () => true : undefined,
      put: (from, to) => this.#doing.edit((all) => {
        all[to].piece = all[from].piece;
        delete all[from].piece;
      }),
    });
  }

  /** Asks for one of several moves between the same squares. @param {Move[]} moves */
  #ask(moves) {
    this.#asked = this.#state.scene.position;
    fill(this.question, ...whichMove(moves, (move) => {
      fill(this.question);
      this.board.enter();
      this.#doing.play(move);
    }));
    this.question.querySelector('button')?.focus();
  }

  /** The best moves with their values, or those that are highlighted. */
  #marks() {
    const { scene, report, hovered, best } = this.#state;
    const line = this.#line();
    if (line.length) return line;
    const turn = report?.turns?.find(({ moves }) => String(moves) === String(hovered ?? best));
    if (turn) return turn.moves.map((move, place) => this.#mark(move, place === 0 ? turn.value : null, turn === report?.turns?.[0]));
    const most = scene.board.columns.length > SMALL ? MAX_MOVES_LARGE : MAX_MOVES_SMALL;
    const shown = (report?.moves ?? []).filter(({ move }) => hovered === null || move === hovered[0]).slice(0, most);
    return shown.map(({ move, value }) => this.#mark(move, value, move === best?.[0]));
  }

  /** The arrows of the principal variation, if the best move or turn is highlighted. */
  #line() {
    const { report, hovered, best } = this.#state;
    if (!report?.line || hovered === null || String(hovered) !== String(best)) return [];
    let [own, left] = [false, 0];
    return report.line.map((part) => {
      const [roll, move = ''] = part.split(' ');
      // Within a turn fewer and fewer dice are left.
      if (left === 0 || roll.length >= left) own = !own;
      left = roll.length;
      return this.#mark(move, null, own);
    });
  }

  /** @param {string} move @param {number | null} value @param {boolean} best */
  #mark(move, value, best) {
    const found = squares(this.#state.scene.board, move);
    return { from: found?.from ?? null, to: found?.to ?? null, value, best };
  }

  /** Applies the brush to a square. @param {number} square */
  #put(square) {
    const { game, brush } = this.#state;
    const first = game.start.board.squares.filter(({ piece }) => piece?.letter === brush);
    this.#doing.edit((all) => {
      if (brush === '') return delete all[square].piece;
      // A piece that there is only one of at the start stays unique.
      if (first.length === 1) for (const other of all) if (other.piece?.letter === brush) delete other.piece;
      if (first.length) all[square].piece = first[0].piece;
    });
  }
}
