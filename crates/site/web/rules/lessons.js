// Three moves that teach a game: what the die means, how to capture, how to win.

/**
 * @typedef {object} Task a position in which the reader makes a move, or the moves of a whole turn
 * @property {string} position
 * @property {string} text what to do, and why
 * @property {(move: Move) => boolean} fits whether a move does that
 * @property {string} done what is said after it
 */

const any = () => true;
/** @param {Move} move */
const captures = ({ captures }) => captures !== null;

/** @type {Task[]} */
const EINSTEIN = [
  {
    position: 'ABC2/DE3/F3f/3ed/2cba r 4 1',
    text: 'The die shows a 4, so your red cube 4 moves: one square towards the opposite corner, straight or diagonally. Press a marked square.',
    fits: any,
    done: 'The die chooses the cube, and you choose where it goes. If the cube with that number is gone, the next higher or the next lower one moves.',
  },
  {
    position: '5/1A3/2b2/5/4c r 1 9',
    text: 'A blue cube stands in your way. Capture it: a cube removes whatever stands on the square that it enters, even one of your own.',
    fits: captures,
    done: 'Captured. Whoever loses all cubes has lost the game.',
  },
  {
    position: '5/b4/5/3A1/5 r 1 15',
    text: 'Blue is one step from its goal, but it is your turn. Enter the tinted corner.',
    fits: ({ text }) => text.endsWith('e1'),
    done: 'You have won: the first cube in the opposite corner ends the game.',
  },
];

/** @type {Task[]} */
const LAST = [
  {
    position: '4k3/ppp2ppp/8/8/8/2n5/PPP2PPP/4R1K1 w - - 0 18 P',
    text: 'The die shows a pawn. A pawn moves straight ahead, but captures diagonally ahead. Capture the black knight.',
    fits: captures,
    done: 'Captured. As in chess, a piece is removed when another enters its square.',
  },
  {
    position: '4k3/ppp2ppp/8/8/8/8/PPP2PPP/4R1K1 w - - 0 20 R',
    text: 'The die shows a rook, and nothing stands between it and the black king. Whoever captures the king wins: take it.',
    fits: ({ text }) => text === 'e1e8',
    done: 'You have won. So keep your own king out of reach of what may be rolled.',
  },
];

/** @type {Task[]} */
const CHESS = [
  {
    position: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 N',
    text: 'The die shows a knight, so a white knight moves: it jumps two squares straight and one to the side. Press one, then a marked square.',
    fits: any,
    done: 'The die chooses the kind of piece, and you choose the piece and where it goes.',
  },
  ...LAST,
];

/** @type {Task[]} */
const THREE = [
  {
    position: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB',
    text: 'Three dice, three moves: a pawn, a knight and a bishop of White, in any order. The bishop needs a pawn to make way first.',
    fits: any,
    done: 'Three dice are three moves, in the order that you like. Dice that cannot be used are lost.',
  },
  {
    position: '4k3/ppp2ppp/8/8/8/2n5/PPP2PPP/4R1K1 w - - 0 18 P',
    text: 'One die is left, a pawn. A pawn moves straight ahead, but captures diagonally ahead. Capture the black knight.',
    fits: captures,
    done: LAST[0].done,
  },
  {
    position: '4k3/ppp2ppp/8/8/8/8/PPP2PPP/4R1K1 w - - 0 20 R',
    text: 'A rook is left, and nothing stands between it and the black king. Whoever captures the king wins: take it.',
    fits: LAST[1].fits,
    done: LAST[1].done,
  },
];

/** The lesson of a game; none where there is no lesson. @param {string} name @returns {Task[]} */
export const lesson = (name) => (name === 'dicechess3' ? THREE : name.startsWith('dicechess') ? CHESS : name.startsWith('einstein') ? EINSTEIN : []);
