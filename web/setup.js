// Arranging men before a game.

/**
 * The set-up of a side as text, read from the board.
 * @param {Game} game
 * @param {number} side
 * @param {Board} board
 */
export function setupText(game, side, board) {
  const [sign, ...numbers] = game.setup?.[side] ?? '';
  // The first set-up stands on the board of the game's start: it tells which square comes when.
  const place = (/** @type {string} */ number) => game.start.board.squares.findIndex(({ man }) => man?.side === side && man.label === number);
  return sign + numbers.map((number) => board.squares[place(number)].man?.label ?? '').join('');
}

/**
 * Changes the men of two squares.
 * @param {Board} board
 * @param {number} from
 * @param {number} to
 */
export function exchange({ squares }, from, to) {
  [squares[from].man, squares[to].man] = [squares[to].man, squares[from].man];
}

/**
 * Brings the men of a side into an order of chance.
 * @param {Board} board
 * @param {number} side
 */
export function shuffleSide(board, side) {
  const places = board.squares.flatMap(({ man }, place) => (man?.side === side ? [place] : []));
  for (let last = places.length - 1; last > 0; last -= 1) {
    exchange(board, places[last], places[Math.floor(Math.random() * (last + 1))]);
  }
}
