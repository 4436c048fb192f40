// The rules of EinStein würfelt nicht!, with pictures.

/** @type {Rules[number]} */
const CHOICE = {
  title: 'When that cube is gone',
  text: 'The cube with the next higher or the next lower number moves instead, however large the gap; the player chooses. Red has rolled a 4; its 4 and 5 are gone, so the 3 or the 6 may move.',
  position: '5/1C3/2F2/3e1/4b r 4 9',
};

/** @type {Rules[number]} */
const NEAREST = {
  title: 'When that cube is gone',
  text: 'The cube with the nearest number moves instead; if two are equally near, the player chooses. Red has rolled a 4; its 4 and 5 are gone, so the 3 has to move.',
  position: '5/1C3/2F2/3e1/4b r 4 9',
};

/** @type {Rules} */
const FIRST = [
  {
    title: 'The aim',
    text: 'Two sides with six numbered cubes each. Whoever brings a cube to the opposite corner wins, and so does whoever captures all cubes of the other side. There are no draws.',
    position: 'ABC2/DE3/F3f/3ed/2cba r - 1',
  },
  {
    title: 'The set-up',
    text: 'Each side’s cubes stand in the triangle of one corner, and head for the opposite one. Both arrange their six numbers as they like.',
    position: 'FAB2/CE3/D3d/3ce/2bfa r - 1',
  },
  {
    title: 'A roll chooses the cube',
    text: 'Each turn begins with one die. The cube with its number moves: one square towards the opposite corner, straight or diagonally. Red has rolled a 4, so its 4 may go to three squares.',
    position: 'ABC2/DE3/F3f/3ed/2cba r 4 1',
  },
];

/** @type {Rules} */
const LATER = [
  {
    title: 'Capturing',
    text: 'A cube removes whatever stands on the square it enters: a cube of the other side, or one of its own. The latter can be useful: with fewer cubes, each of them moves more often.',
    position: '5/1B3/2A2/2c2/4b r 2 9',
  },
  {
    title: 'The end',
    text: 'Red has rolled a 1 and is one step from the corner: moving to e1 wins.',
    position: '5/b4/5/3A1/5 r 1 15',
  },
];

/** @type {Rules} */
const KNOWN = [
  {
    title: 'How much a roll is worth',
    text: 'With few cubes the values are known exactly. Here Red wins 95 of 108 games if both sides play perfectly. Try every roll in the analysis.',
    position: '5/5/2C2/5/2cba r - 1',
  },
];

/** The rules of a variant. @param {string} name @returns {Rules} */
export const rules = (name) =>
  name === 'einstein-nearest' ? [...FIRST, NEAREST, ...LATER] : [...FIRST, CHOICE, ...LATER, ...KNOWN];
