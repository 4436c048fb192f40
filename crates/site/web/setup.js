// Arranging pieces before a game, and the board as text.

/**
 * The set-up of a side as text, read from the board.
 * @param {Game} game
 * @param {number} side
 * @param {Board} board
 */
export function setupText(game, side, board) {
  const [sign, ...numbers] = game.setup?.[side] ?? '';
  // The board at the start shows the first set-up, which gives the order of the squares.
  const place = (/** @type {string} */ number) => game.start.board.squares.findIndex(({ piece }) => piece?.side === side && piece.label === number);
  return sign + numbers.map((number) => board.squares[place(number)].piece?.label ?? '').join('');
}

/**
 * Exchanges the pieces on two squares.
 * @param {Board} board
 * @param {number} from
 * @param {number} to
 */
export function exchange({ squares }, from, to) {
  [squares[from].piece, squares[to].piece] = [squares[to].piece, squares[from].piece];
}

/**
 * Shuffles the pieces of a side.
 * @param {Board} board
 * @param {number} side
 */
export function shuffleSide(board, side) {
  const places = board.squares.flatMap(({ piece }, place) => (piece?.side === side ? [place] : []));
  for (let last = places.length - 1; last > 0; last -= 1) {
    exchange(board, places[last], places[Math.floor(Math.random() * (last + 1))]);
  }
}

/** The first field of a position text: rows from the top, letters and runs of empty squares. */
export function rows(/** @type {Board} */ { squares, columns }) {
  const lines = [];
  for (let start = 0; start < squares.length; start += columns.length) {
    const line = squares.slice(start, start + columns.length).map((square) => square.piece?.letter ?? ' ').join('');
    lines.push(line.replace(/ +/g, (empty) => String(empty.length)));
  }
  return lines.join('/');
}
