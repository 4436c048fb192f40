// Three moves that teach a game: what the die means, how to capture, how to win.

import { t } from '../language.js';

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
    text: t('task.einstein.1'),
    fits: any,
    done: t('done.einstein.1'),
  },
  {
    position: '5/1A3/2b2/5/4c r 1 9',
    text: t('task.einstein.2'),
    fits: captures,
    done: t('done.einstein.2'),
  },
  {
    position: '5/b4/5/3A1/5 r 1 15',
    text: t('task.einstein.3'),
    fits: ({ text }) => text.endsWith('e1'),
    done: t('done.einstein.3'),
  },
];

/** @type {Task[]} */
const LAST = [
  {
    position: '4k3/ppp2ppp/8/8/8/2n5/PPP2PPP/4R1K1 w - - 0 18 P',
    text: t('task.dicechess.2'),
    fits: captures,
    done: t('done.dicechess.2'),
  },
  {
    position: '4k3/ppp2ppp/8/8/8/8/PPP2PPP/4R1K1 w - - 0 20 R',
    text: t('task.dicechess.3'),
    fits: ({ text }) => text === 'e1e8',
    done: t('done.dicechess.3'),
  },
];

/** @type {Task[]} */
const CHESS = [
  {
    position: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 N',
    text: t('task.dicechess.1'),
    fits: any,
    done: t('done.dicechess.1'),
  },
  ...LAST,
];

/** @type {Task[]} */
const THREE = [
  {
    position: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB',
    text: t('task.dicechess3.1'),
    fits: any,
    done: t('done.dicechess3.1'),
  },
  {
    position: '4k3/ppp2ppp/8/8/8/2n5/PPP2PPP/4R1K1 w - - 0 18 P',
    text: t('task.dicechess3.2'),
    fits: captures,
    done: LAST[0].done,
  },
  {
    position: '4k3/ppp2ppp/8/8/8/8/PPP2PPP/4R1K1 w - - 0 20 R',
    text: t('task.dicechess3.3'),
    fits: LAST[1].fits,
    done: LAST[1].done,
  },
];

/** The lesson of a game; none where there is no lesson. @param {string} name @returns {Task[]} */
export const lesson = (name) => (name === 'dicechess3' ? THREE : name.startsWith('dicechess') ? CHESS : name.startsWith('einstein') ? EINSTEIN : []);
