// The rules of Dice Chess, with pictures.

import { t } from '../language.js';

/** @type {Rules} */
const CHESS = [
  {
    title: t('heading.check'),
    text: t('rule.check'),
    position: '4k3/ppp2ppp/8/8/8/8/PPP2PPP/4R1K1 w - - 0 20 R',
  },
  {
    title: t('heading.pawns'),
    text: t('rule.pawns'),
    position: '8/3P1k2/8/4Pp2/8/8/5K2/8 w - f6 0 40 P',
  },
];

/** Castling, which costs other dice in each game. @param {string} text @param {string} roll @returns {Rules[number]} */
const castling = (text, roll) => ({ title: t('heading.castling'), text, position: `r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9 ${roll}` });

/** For whoever does not know chess. @type {Rules[number]} */
const PIECES = {
  title: t('heading.pieces'),
  text: t('rule.pieces'),
  position: '4k3/p7/8/8/3Q4/8/P7/4K3 w - - 0 30 Q',
};

/** @type {Rules} */
const ONE = [
  {
    title: t('heading.kind'),
    text: t('rule.kind'),
    position: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 N',
  },
];

/** @type {Rules} */
const THREE = [
  {
    title: t('heading.three'),
    text: t('rule.three'),
    position: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB',
  },
  {
    title: t('heading.many'),
    text: t('rule.many'),
    position: '1k6/8/8/8/N7/p7/1P6/1R4K1 w - - 0 30 PPR',
  },
];

/** @type {Record<string, Rules>} */
const OTHER = {
  'dicechess-promotion': [{ title: t('heading.promotion'), text: t('rule.promotion'), position: '8/3P1k2/8/8/8/8/5K2/8 w - - 0 40 N' }],
  'dicechess-bare': [{ title: t('heading.bare'), text: t('rule.bare') }],
};

/** The rules of a variant. @param {string} name @returns {Rules} */
export const rules = (name) =>
  name === 'dicechess3'
    ? [...THREE, PIECES, ...CHESS, castling(t('rule.castling.three'), 'RK'), { title: t('heading.draws'), text: t('rule.draws.three') }]
    : [...ONE, PIECES, ...(OTHER[name] ?? []), ...CHESS, castling(t('rule.castling.one'), 'K'), { title: t('heading.draws'), text: t('rule.draws.one') }];
