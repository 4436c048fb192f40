// Drawings of pieces and dice. They depend on labels, not on the game: a digit is a cube, a chess symbol a
// chess piece, anything else a cube with its text.

import { s } from './dom.js';
import { kind as word } from './moves.js';

/** Outlines in a square of 100, drawn for this site. */
const PIECES = {
  P: 'M50 17a13 13 0 0 1 9 22q7 3 7 9l-9 2q1 15 12 24h-38q11-9 12-24l-9-2q0-6 7-9a13 13 0 0 1 9-22zM25 87q0-10 8-10h34q8 0 8 10z',
  N: 'M33 74q0-12 8-21 7-7 7-13-6 7-15 8l-5 8q-7 2-9-5 1-7 7-13 3-9 10-14l1-11 9 7q20 2 27 20 5 14 3 34zM25 87q0-10 8-10h36q8 0 8 10z',
  B: 'M50 11a6 6 0 0 1 4 10.500q16 11 14 25-1 9-9 13l4 15H37l4-15q-8-4-9-13-2-14 14-25A6 6 0 0 1 50 11zM25 87q0-10 8-10h34q8 0 8 10z',
  R: 'M28 18h10v8h7v-8h10v8h7v-8h10v19l-7 6 2 31H33l2-31-7-6zM25 87q0-10 8-10h34q8 0 8 10z',
  Q: 'M50 12a6 6 0 0 1 3 11l9 20 11-14a5 5 0 1 1 6 2l-9 43H30l-9-43a5 5 0 1 1 6-2l11 14 9-20a6 6 0 0 1 3-11zM25 87q0-10 8-10h34q8 0 8 10z',
  K: 'M46 9h8v7h7v8h-7v8q18-6 24 6 4 13-9 25l-2 11H33l-2-11Q18 51 22 38q6-12 24-6v-8h-7v-8h7zM25 87q0-10 8-10h34q8 0 8 10z',
};

/** The kind of piece that a chess symbol or letter stands for. @param {string} sign */
function kind(sign) {
  const place = '♔♕♖♗♘♙♚♛♜♝♞♟'.indexOf(sign);
  const letter = place >= 0 ? 'KQRBNP'[place % 6] : '';
  return /** @type {keyof typeof PIECES | ''} */ (letter);
}

/** The label of a piece in words, for those who hear it. @param {Piece} piece */
export function spelled({ label }) {
  const letter = kind(label);
  return letter ? word(letter) : label;
}

/** A chess piece. @param {keyof typeof PIECES} letter @param {string} paint */
const chessPiece = (letter, paint) => s('path', { d: PIECES[letter], class: `chess-piece ${paint}` });

/**
 * A piece of a side.
 * @param {Piece} piece
 * @returns {SVGElement}
 */
export function drawn(piece) {
  const letter = kind(piece.label);
  const art = letter
    ? [chessPiece(letter, `chess${piece.side}`)]
    : [
        s('rect', { x: 9, y: 12, width: 82, height: 82, rx: 17, class: 'cube-shade' }),
        s('rect', { x: 9, y: 7, width: 82, height: 82, rx: 17, class: `cube side${piece.side}` }),
        s('path', { d: 'M24 9.500h52q12.500 0 12.500 13v4q0-13-14-13h-49q-14 0-14 13v-4q0-13 12.500-13z', class: 'cube-light' }),
        s('circle', { cx: 50, cy: 48, r: 27, class: 'cube-inlay' }),
        s('text', { x: 50, y: 66.500, class: 'cube-number' }, piece.label),
      ];
  // Chess pieces are slimmer than cubes, so they are drawn larger.
  return s('svg', { viewBox: letter ? '11 8 78 83' : '5 3 90 94', class: 'piece', 'aria-hidden': 'true' }, ...art);
}

/** The places of the pips on a die. */
const PIPS = [
  [], [[50, 50]], [[28, 28], [72, 72]], [[28, 28], [50, 50], [72, 72]],
  [[28, 28], [72, 28], [28, 72], [72, 72]], [[28, 28], [72, 28], [50, 50], [28, 72], [72, 72]],
  [[28, 26], [72, 26], [28, 50], [72, 50], [28, 74], [72, 74]],
];

/**
 * A die with its face: pips for a digit, a piece for the letter of a piece.
 * @param {string} face
 * @returns {SVGElement}
 */
export function die(face) {
  const letter = /** @type {keyof typeof PIECES} */ (face.toUpperCase());
  const pips = PIPS[Number(face)] ?? [];
  const art = letter in PIECES
    ? [s('g', { transform: 'translate(14 12) scale(.72)' }, chessPiece(letter, 'pip'))]
    : pips.map(([cx, cy]) => s('circle', { cx, cy, r: 9, class: 'pip' }));
  return s(
    'svg',
    { viewBox: '0 0 100 104', class: 'die', 'aria-hidden': 'true' },
    s('rect', { x: 4, y: 8, width: 92, height: 92, rx: 20, class: 'die-shade' }),
    s('rect', { x: 4, y: 3, width: 92, height: 92, rx: 20, class: 'die-body' }),
    ...art,
  );
}
