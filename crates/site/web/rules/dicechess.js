// The rules of Dice Chess, with pictures.

/** @type {Rules} */
const CHESS = [
  {
    title: 'No check, no mate',
    text: 'The king may stand or step where it can be captured. Whoever captures the king wins. Here the rook can capture Black’s king if the roll lets the rook move.',
    position: '4k3/ppp2ppp/8/8/8/8/PPP2PPP/4R1K1 w - - 0 20 R',
  },
  {
    title: 'Pawns',
    text: 'A pawn that reaches the last row becomes a queen, rook, bishop or knight, as its player likes. En passant works as in chess: Black’s pawn has just passed f6, where it may be captured.',
    position: '8/3P1k2/8/4Pp2/8/8/5K2/8 w - f6 0 40 P',
  },
];

/** Castling, which costs other dice in each game. @param {string} needs what it needs @param {string} roll @returns {Rules[number]} */
const castling = (needs, roll) => ({
  title: 'Castling',
  text: `Castling needs ${needs}. Neither piece may have moved, and the squares between them must be empty; attacks do not matter.`,
  position: `r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9 ${roll}`,
});

/** The draws. @param {string} first what else is said of them @returns {Rules[number]} */
const draws = (first) => ({
  title: 'Draws',
  text: `${first} The game is drawn after 100 turns of each side, and after 75 turns of each side in a row without a capture or a pawn’s move.`,
});

/** For whoever does not know chess. @type {Rules[number]} */
const PIECES = {
  title: 'How the pieces move',
  text: 'The rook moves along its row or column, the bishop along its diagonals, the queen both ways, each as far as nothing stands in its way. The king moves one square in any direction. The knight jumps: two squares straight and one to the side. A pawn moves one square ahead, or two from where it began, and captures one square diagonally ahead. A piece that enters a square of the other side captures what stands there. Here it is the queen’s turn.',
  position: '4k3/p7/8/8/3Q4/8/P7/4K3 w - - 0 30 Q',
};

/** @type {Rules} */
const ONE = [
  {
    title: 'A roll says which kind moves',
    text: 'The pieces and the set-up are those of chess. Each turn begins with one die: pawn, knight, bishop, rook, queen or king. A piece of that kind must move; a roll with which none can is repeated. White has rolled the knight.',
    position: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 N',
  },
];

/** @type {Rules} */
const THREE = [
  {
    title: 'Three dice, up to three moves',
    text: 'The pieces and the set-up are those of chess. Each turn begins with three dice. The same side makes a move for each of them, in any order: here a pawn, a knight and a bishop, and the bishop only once the pawn has made way.',
    position: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB',
  },
  {
    title: 'As many dice as possible',
    text: 'As many dice as possible must be used. If none can be used, the side passes. Capturing the king ends the game immediately, and a turn that captures it may leave dice unused: here the pawn takes on a3, where it is stuck, and the rook takes the king. Other moves would use all three dice.',
    position: '1k6/8/8/8/N7/p7/1P6/1R4K1 w - - 0 30 PPR',
  },
];

/** @type {Record<string, Rules>} */
const OTHER = {
  'dicechess-promotion': [{ title: 'Promotion by die', text: 'A pawn before the last row may also move when the roll is the piece that it becomes.', position: '8/3P1k2/8/8/8/8/5K2/8 w - - 0 40 N' }],
  'dicechess-bare': [{ title: 'A bare king loses', text: 'A side that has only its king left has lost. If both have only their kings, the game is drawn.' }],
};

/** The rules of a variant. @param {string} name @returns {Rules} */
export const rules = (name) =>
  name === 'dicechess3'
    ? [...THREE, PIECES, ...CHESS, castling('a king and a rook among the dice that are left, and spends both', 'RK'), draws('A side that can move nothing passes.')]
    : [...ONE, PIECES, ...(OTHER[name] ?? []), ...CHESS, castling('the roll of a king', 'K'), draws('If the side to move can move nothing, whatever it rolls, the game is drawn.')];
