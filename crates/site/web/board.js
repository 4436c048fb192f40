// A board of any game, as a grid that works with mouse, finger, keyboard and screen reader.
//
// It knows squares, pieces and moves from square to square, but no rules: `moves` has the legal moves. Moves
// that leave no square (a pass) or share both squares (a promotion) are offered by the page as buttons.

import { fill, h, s, still } from './dom.js';
import { sideOf, t } from './language.js';
import { drawn, spelled } from './pieces.js';

/**
 * @typedef {object} Options
 * @property {string} label what the board is called
 * @property {[string, string]} sides
 * @property {boolean} [flipped] whether the first row is at the bottom
 * @property {Move[]} [moves] the legal moves
 * @property {boolean} [eager] whether the piece is chosen already where only one may move
 * @property {(moves: Move[]) => void} [play] called with the moves between the two chosen squares
 * @property {(square: number) => void} [refuse] called with a pressed square from which nothing may move
 * @property {(from: number, to: number) => boolean} [drop] where pieces can be placed freely: whether
 *   the piece of one square may go to the other
 * @property {(from: number, to: number) => void} [put]
 * @property {boolean} [quiet] whether the squares to which a piece may go are not marked
 * @property {(square: number) => void} [press] called with the pressed square, on boards without moves
 * @property {Mark[]} [marks]
 * @property {Move | null} [last] the last move
 */

/** @typedef {{ from: number | null, to: number | null, value: number | null, best: boolean }} Mark */

export class BoardElement extends HTMLElement {
  /** @type {Board | undefined} */
  #board;
  /** @type {Options} */
  #options = { label: '', sides: ['', ''] };
  /** @type {number | null} */
  #chosen = null;
  #focus = 0;
  /** The arrows and squares that the reader has drawn with the right button, each as `from-to`. @type {Set<string>} */
  #drawn = new Set();
  #dragged = false;
  /** Whether the focus came by a pointer: then the arrow keys walk through the game and not over the board. */
  #pointed = false;
  /** @type {HTMLButtonElement[]} */
  #squares = [];

  /**
   * Draws a board.
   * @param {Board} board
   * @param {Options} options
   */
  show(board, options) {
    const same = this.#board?.columns.length === board.columns.length && this.#options.flipped === options.flipped;
    const focused = this.#squares.includes(/** @type {any} */ (document.activeElement));
    // A piece that is selected stays selected while the position is the same.
    const unmoved = same && board.squares.every(({ piece }, place) => sign(piece) === sign(this.#board?.squares[place].piece));
    this.#board = board;
    this.#options = options;
    if (!unmoved || this.#chosen === null || !this.#targets(this.#chosen).length) this.#chosen = null;
    if (!unmoved) this.#drawn.clear();
    this.#chosen ??= this.#only();
    if (!same) this.#build();
    this.#draw();
    if (focused && same) this.#squares[this.#focus]?.focus();
  }

  connectedCallback() {
    this.addEventListener('contextmenu', this.#noMenu);
    this.addEventListener('pointerdown', this.#sketch);
  }

  disconnectedCallback() {
    this.removeEventListener('contextmenu', this.#noMenu);
    this.removeEventListener('pointerdown', this.#sketch);
  }

  /** The right button of a mouse draws. On a touch screen a long press does nothing here. @param {Event} event */
  #noMenu = (event) => event.preventDefault();

  /** The square under a pointer; -1 outside. @param {PointerEvent} at */
  #under(at) {
    const over = document.elementsFromPoint(at.clientX, at.clientY);
    return this.#squares.findIndex((square) => over.includes(square));
  }

  /** Draws an arrow from square to square, or marks a single one; what was drawn goes, and the left button clears all. @param {PointerEvent} event */
  #sketch = (event) => {
    if (event.pointerType !== 'mouse') return;
    if (event.button === 0 && this.#drawn.size) {
      this.#drawn.clear();
      this.#mark();
    }
    const from = this.#under(event);
    if (event.button !== 2 || from < 0) return;
    addEventListener('pointerup', (at) => {
      const to = this.#under(at);
      const key = `${from}-${to}`;
      if (to < 0) return;
      if (!this.#drawn.delete(key)) this.#drawn.add(key);
      this.#mark();
    }, { once: true });
  };

  /** Moves the focus to the board. */
  enter() {
    this.#squares[this.#focus]?.focus();
  }

  /** Animates the piece of the last move from its old square. @param {Move} move */
  slide(move) {
    if (move.from === null || move.to === null || still()) return Promise.resolve();
    const [from, to] = [this.#squares[move.from], this.#squares[move.to]];
    const piece = to?.querySelector('.piece');
    if (!from || !piece) return Promise.resolve();
    const [start, end] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
    to.classList.add('arriving');
    const motion = piece.animate(
      [{ transform: `translate(${start.x - end.x}px, ${start.y - end.y}px)` }, { transform: 'none' }],
      { duration: 260, easing: 'cubic-bezier(.3,.1,.2,1)' },
    );
    return motion.finished.then(() => to.classList.remove('arriving'), () => {});
  }

  #name(/** @type {number} */ square) {
    const { columns, rows } = /** @type {Board} */ (this.#board);
    return columns[square % columns.length] + rows[Math.floor(square / columns.length)];
  }

  #build() {
    const { columns, rows, squares } = /** @type {Board} */ (this.#board);
    this.#focus = 0;
    this.style.setProperty('--columns', String(columns.length));
    this.#squares = squares.map((_, place) =>
      h('button', {
        class: 'square',
        type: 'button',
        role: 'gridcell',
        tabIndex: -1,
        onclick: () => this.#dragged || this.#press(place),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event, place),
        onpointerdown: (/** @type {PointerEvent} */ event) => this.#grab(event, place),
        onfocus: () => (this.#focus = place),
        onblur: () => (this.#pointed = false),
      }),
    );
    const order = rows.map((_, row) => row);
    const across = columns.map((_, column) => column);
    if (this.#options.flipped) {
      order.reverse();
      across.reverse();
    }
    const grid = h(
      'div',
      { class: 'grid', role: 'grid' },
      ...order.map((row) =>
        h('div', { class: 'row', role: 'row' }, ...across.map((column) => this.#squares[row * columns.length + column])),
      ),
    );
    const overlay = s('svg', { class: 'overlay', 'aria-hidden': 'true', viewBox: `0 0 ${columns.length} ${rows.length}` });
    fill(
      this,
      h('div', { class: 'frame' }, grid, overlay),
      h('div', { class: 'files', 'aria-hidden': 'true' }, ...across.map((column) => h('span', {}, columns[column]))),
      h('div', { class: 'ranks', 'aria-hidden': 'true' }, ...order.map((row) => h('span', {}, rows[row]))),
    );
  }

  /** The square of the only piece that may move, on a board that chooses it; null if there is none. */
  #only() {
    const { eager, moves = [] } = this.#options;
    const from = eager ? (moves[0]?.from ?? null) : null;
    return from !== null && moves.every((move) => move.from === from) ? from : null;
  }

  /** The squares to which the piece on a square may go. @param {number} from */
  #targets(from) {
    const { moves = [], drop } = this.#options;
    if (drop) return this.#squares.map((_, to) => to).filter((to) => to !== from && drop(from, to));
    return moves.filter((move) => move.from === from).map((move) => move.to);
  }

  #draw() {
    const { squares } = /** @type {Board} */ (this.#board);
    const { label, sides, last, press, drop } = this.#options;
    this.querySelector('.grid')?.setAttribute('aria-label', label);
    const targets = this.#chosen === null ? [] : this.#targets(this.#chosen);
    const movable = squares.map((square, place) => Boolean(square.piece) && this.#targets(place).length > 0);
    const first = movable.indexOf(true);
    const free = this.#chosen === null || this.#chosen === this.#only();
    if (free && first >= 0 && !movable[this.#focus] && !drop && document.activeElement?.closest('wf-board') !== this) {
      this.#focus = first;
    }
    squares.forEach((square, place) => {
      const button = this.#squares[place];
      const target = targets.includes(place) && !this.#options.quiet;
      const words = [
        this.#name(place),
        square.piece ? t('square.piece', { side: sideOf({ sides }, square.piece.side), piece: spelled(square.piece) }) : t('square.empty'),
        square.goal === undefined ? '' : t('square.goal', { side: sideOf({ sides }, square.goal) }),
        target ? t('square.target') : movable[place] ? t('square.movable') : '',
      ];
      button.setAttribute('aria-label', words.filter(Boolean).join(', '));
      button.setAttribute('aria-selected', String(this.#chosen === place));
      button.tabIndex = place === this.#focus ? 0 : -1;
      button.classList.toggle('dark', square.dark);
      button.classList.toggle('movable', movable[place] && free && !this.#options.quiet);
      button.classList.toggle('target', target);
      button.classList.toggle('live', targets.includes(place) || movable[place] || Boolean(press));
      button.classList.toggle('last', Boolean(last) && (last?.from === place || last?.to === place));
      if (square.goal === undefined) delete button.dataset.goal;
      else button.dataset.goal = String(square.goal);
      if (button.dataset.piece === sign(square.piece)) return;
      button.dataset.piece = sign(square.piece);
      fill(button, square.piece ? drawn(square.piece) : null);
    });
    this.#mark();
  }

  /** The centre of a square in the overlay. @param {number} square */
  #middle(square) {
    const { columns, rows } = /** @type {Board} */ (this.#board);
    let [x, y] = [square % columns.length, Math.floor(square / columns.length)];
    if (this.#options.flipped) [x, y] = [columns.length - 1 - x, rows.length - 1 - y];
    return [x + 0.5, y + 0.5];
  }

  /** Arrows with the value of each move as a bar. */
  #mark() {
    const overlay = this.querySelector('.overlay');
    if (!overlay) return;
    const marks = (this.#options.marks ?? []).filter(({ from, to }) => from !== null && to !== null);
    // On small squares the numbers keep a legible size.
    const scale = Math.max(1, Number(this.#board?.columns.length) / 5.6);
    const middles = marks.map(({ from, to }) => ({ from: this.#middle(Number(from)), to: this.#middle(Number(to)) }));
    const wide = Number(this.#board?.columns.length);
    const high = Number(this.#board?.rows.length);
    /** The labels that have been placed. @type {number[][]} */
    const taken = [];
    /** Finds a place for the label of a mark: beside its arrowhead, away from other labels and arrows. @param {number} mark */
    const free = (mark) => {
      const [x, y] = middles[mark].to;
      const places = PLACES.map(([dx, dy]) => [x + dx, y + dy]).filter(([left, top]) => left > 0.27 * scale && left < wide - 0.27 * scale && top > 0.11 * scale && top < high - 0.11 * scale);
      const crowd = (/** @type {number[]} */ [left, top]) => {
        const labels = taken.filter(([other, above]) => Math.abs(other - left) < 0.56 * scale && Math.abs(above - top) < 0.24 * scale).length;
        const arrows = middles.filter(({ from, to }) => crosses(from, to, [left, top], scale)).length;
        return 3 * labels + arrows;
      };
      const best = places.sort((one, other) => crowd(one) - crowd(other))[0] ?? [x, y];
      taken.push(best);
      return best;
    };
    const drawing = marks.map(({ from, to, value, best }, place) => {
      const [[x1, y1], [x2, y2]] = [this.#middle(Number(from)), this.#middle(Number(to))];
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [ex, ey] = [x2 - 0.16 * dx, y2 - 0.16 * dy];
      const head = `M${ex} ${ey}l${-0.2 * dx - 0.11 * dy} ${-0.2 * dy + 0.11 * dx}l${0.22 * dy} ${-0.22 * dx}z`;
      const group = s(
        'g',
        { class: best ? 'arrow best' : 'arrow' },
        s('line', { x1: x1 + 0.36 * dx, y1: y1 + 0.36 * dy, x2: ex - 0.12 * dx, y2: ey - 0.12 * dy }),
        s('path', { d: head }),
      );
      if (value !== null) {
        const [x, y] = free(place);
        group.append(
          s('g', { class: 'value', transform: `translate(${x} ${y}) scale(${scale})` },
            s('rect', { x: -0.27, y: -0.11, width: 0.54, height: 0.22, rx: 0.05, class: 'gauge' }),
            s('rect', { x: -0.27, y: 0.06, width: 0.54 * value, height: 0.05, rx: 0.02, class: 'gauge-fill' }),
            s('text', { x: 0, y: 0.035, class: 'gauge-text' }, (100 * value).toFixed(0))),
        );
      }
      return group;
    });
    fill(overlay, ...drawing.reverse(), ...this.#sketches());
  }

  /** What the reader has drawn. */
  #sketches() {
    return [...this.#drawn].map((key) => {
      const [from, to] = key.split('-').map(Number);
      const [[x1, y1], [x2, y2]] = [this.#middle(from), this.#middle(to)];
      if (from === to) return s('circle', { class: 'sketch', cx: x1, cy: y1, r: 0.44 });
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [ex, ey] = [x2 - 0.25 * dx, y2 - 0.25 * dy];
      return s('g', { class: 'sketch' }, s('line', { x1, y1, x2: ex, y2: ey }), s('path', { d: `M${x2 - 0.1 * dx} ${y2 - 0.1 * dy}l${-0.26 * dx - 0.16 * dy} ${-0.26 * dy + 0.16 * dx}l${0.32 * dy} ${-0.32 * dx}z` }));
    });
  }

  /** @param {number} place */
  #press(place) {
    const { press, moves = [], play, put, drop } = this.#options;
    if (press) return press(place);
    if (this.#chosen !== null && this.#targets(this.#chosen).includes(place)) {
      const from = this.#chosen;
      this.#chosen = null;
      this.#draw();
      if (drop) put?.(from, place);
      else play?.(moves.filter((move) => move.from === from && move.to === place));
      return;
    }
    const stuck = this.#targets(place).length === 0;
    this.#chosen = this.#chosen === place || stuck ? this.#only() : place;
    this.#draw();
    if (stuck) this.#options.refuse?.(place);
  }

  /** @param {KeyboardEvent} event @param {number} place */
  #key(event, place) {
    const { columns, rows } = /** @type {Board} */ (this.#board);
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === 'Escape' && this.#chosen !== null) {
      this.#chosen = this.#only();
      this.#draw();
      return;
    }
    const step = steps[event.key];
    if (!step) this.#pointed = false;
    if (!step || this.#pointed) return;
    event.preventDefault();
    const sign = this.#options.flipped ? -1 : 1;
    const column = (place % columns.length) + sign * step[0];
    const row = Math.floor(place / columns.length) + sign * step[1];
    if (column < 0 || row < 0 || column >= columns.length || row >= rows.length) return;
    this.#squares[this.#focus].tabIndex = -1;
    this.#focus = row * columns.length + column;
    this.#squares[this.#focus].tabIndex = 0;
    this.#squares[this.#focus].focus();
  }

  /** Lets a piece follow the pointer. @param {PointerEvent} event @param {number} place */
  #grab(event, place) {
    this.#pointed = true;
    const piece = /** @type {SVGElement | null} */ (this.#squares[place].querySelector('.piece'));
    const targets = this.#targets(place);
    if (!piece || targets.length === 0 || event.button !== 0 || this.#options.press) return;
    const start = [event.clientX, event.clientY];
    let moved = false;
    const button = this.#squares[place];
    const follow = (/** @type {PointerEvent} */ at) => {
      const [dx, dy] = [at.clientX - start[0], at.clientY - start[1]];
      if (!moved && Math.hypot(dx, dy) < 6) return;
      if (!moved) {
        moved = true;
        this.#chosen = place;
        button.classList.add('held');
        if (!this.#options.quiet) targets.forEach((to) => to !== null && this.#squares[to].classList.add('target'));
      }
      piece.style.transform = `translate(${dx}px, ${dy}px)`;
    };
    const end = (/** @type {PointerEvent} */ at) => {
      removeEventListener('pointermove', follow);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      piece.style.transform = '';
      button.classList.remove('held');
      if (!moved) return;
      // The click event after a drag is ignored.
      this.#dragged = true;
      setTimeout(() => (this.#dragged = false), 0);
      const over = document.elementsFromPoint(at.clientX, at.clientY);
      const to = this.#squares.findIndex((square) => over.includes(square));
      this.#chosen = place;
      if (at.type === 'pointerup' && targets.includes(to)) this.#press(to);
      else {
        this.#chosen = this.#only();
        this.#draw();
      }
    };
    addEventListener('pointermove', follow);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  }
}

/** The drawing of a piece. @param {Piece | undefined} piece */
const sign = (piece) => (piece ? `${piece.side} ${piece.label}` : '');

/** The offsets at which a label may lie from the centre of a square, the best first. */
const PLACES = [[0, 0.36], [0, -0.36], [0.3, 0.36], [-0.3, 0.36], [0.3, -0.36], [-0.3, -0.36], [0.42, 0], [-0.42, 0]];

/**
 * Whether an arrow goes through a label.
 * @param {number[]} from
 * @param {number[]} to
 * @param {number[]} label the centre of the label
 * @param {number} scale
 */
function crosses([x1, y1], [x2, y2], [x, y], scale) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  // The head is wider than the line and ends before the middle.
  const parts = Math.ceil(16 * length);
  return Array.from({ length: parts + 1 }, (_, n) => n / parts).some((part) => {
    const along = 0.36 + part * (length - 0.52);
    const [px, py] = [x1 + ((x2 - x1) / length) * along, y1 + ((y2 - y1) / length) * along];
    return Math.abs(px - x) < 0.27 * scale + 0.12 && Math.abs(py - y) < 0.11 * scale + 0.12;
  });
}

customElements.define('wf-board', BoardElement);

/** @returns {BoardElement} */
export const board = () => /** @type {BoardElement} */ (document.createElement('wf-board'));

/** Whether a side's pieces start in the upper half, so that it should see the board flipped. */
export function isAbove(/** @type {Board} */ { squares, columns, rows }, /** @type {number} */ side) {
  const places = squares.flatMap((square, place) => (square.piece?.side === side ? [Math.floor(place / columns.length)] : []));
  return places.reduce((sum, row) => sum + row, 0) < (places.length * (rows.length - 1)) / 2;
}
