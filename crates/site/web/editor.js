// The fields of a position text behind its board, for games in which they may contradict an edited board.
// The fields are those behind the board; the first is the side to move.

/**
 * @typedef {object} Right a right that needs pieces at home
 * @property {string} letter
 * @property {number} side
 * @property {'short' | 'long'} label
 * @property {[string, string][]} pieces squares and the letters of the pieces on them
 */

/**
 * @typedef {object} Editor
 * @property {Right[]} rights those that can be given and taken
 * @property {(fields: string[]) => string} given the letters of the rights in the fields
 * @property {(fields: string[], letters: string) => string[]} give the fields with these rights
 * @property {(fields: string[], board: Board) => string[]} mend the fields without what the board
 *   does not support
 */

/** @type {Right[]} */
const CASTLING = [
  { letter: 'K', side: 0, label: 'short', pieces: [['e1', 'K'], ['h1', 'R']] },
  { letter: 'Q', side: 0, label: 'long', pieces: [['e1', 'K'], ['a1', 'R']] },
  { letter: 'k', side: 1, label: 'short', pieces: [['e8', 'k'], ['h8', 'r']] },
  { letter: 'q', side: 1, label: 'long', pieces: [['e8', 'k'], ['a8', 'r']] },
];

/** The letter of the piece on a square. @param {Board} board @param {string} name */
function on({ squares, columns, rows }, name) {
  return squares[rows.indexOf(name.slice(1)) * columns.length + columns.indexOf(name.charAt(0))]?.piece?.letter;
}

/** Whether the pieces that a right needs are at home. @param {Board} board @param {Right} right */
export const supported = (board, { pieces }) => pieces.every(([name, letter]) => on(board, name) === letter);

/** Whether a pawn can just have passed a square, with this side to move. @param {Board} board @param {string} name @param {string} side */
function passed(board, name, side) {
  const [file, rank] = name;
  return side === 'w' ? rank === '6' && on(board, `${file}5`) === 'p' : rank === '3' && on(board, `${file}4`) === 'P';
}

/** @type {Editor} */
const CHESS = {
  rights: CASTLING,
  given: ([, castling]) => castling ?? '-',
  give: ([side, , ...rest], letters) => [side, letters || '-', ...rest],
  mend([side, castling, squares, ...rest], board) {
    const kept = CASTLING.filter((right) => castling?.includes(right.letter) && supported(board, right));
    const names = (squares ?? '-').match(/[a-h][36]/g) ?? [];
    return [side, kept.map(({ letter }) => letter).join('') || '-', names.filter((name) => passed(board, name, side)).join('') || '-', ...rest];
  },
};

/** For games whose fields cannot contradict the board. @type {Editor} */
const PLAIN = { rights: [], given: () => '', give: (fields) => fields, mend: (fields) => fields };

/** The editors, by the beginning of the game's name. @type {Record<string, Editor>} */
const EDITORS = { dicechess: CHESS };

/** The editor of a game. @param {string} name */
export const editor = (name) => Object.entries(EDITORS).find(([begins]) => name.startsWith(begins))?.[1] ?? PLAIN;
