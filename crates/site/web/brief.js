// What each game is and how one wins it, in a sentence, for the first minute. The rules at length are in `rules/`.

/**
 * @typedef {object} Brief
 * @property {string} aim what the players do, and who wins
 * @property {string} [corners] what the tinted squares are
 * @property {string} [differs] what is otherwise than in the game of which this is a variant
 */

const CHESS = 'and move a piece of that kind. Whoever captures the king wins.';

/** @type {Record<string, Brief>} */
const BRIEFS = {
  einstein: {
    aim: 'Roll the die and move the cube with its number. Whoever first reaches the opposite corner wins.',
    corners: 'The tinted corners are the goals: red cubes head for the red one, blue cubes for the blue one.',
  },
  dicechess3: { aim: 'Chess with three dice: roll them, and move a piece of each kind that they show. Whoever captures the king wins.' },
  dicechess: { aim: `Chess with a die: roll it, ${CHESS}` },
};

/** What is otherwise in a variant. @type {Record<string, string>} */
const DIFFERENCES = {
  'einstein-nearest': 'In this variant, when a cube is gone, only the cube with the nearest number may move.',
  'dicechess-promotion': 'In this variant, a pawn before the last row may also move when the piece that it becomes is rolled.',
  'dicechess-bare': 'In this variant, whoever has only a king left has lost.',
};

/** The briefing of a game, which for a variant is that of its base and the difference. @param {Game} game @returns {Brief} */
export function brief({ name, about }) {
  const known = BRIEFS[name] ?? BRIEFS[name.split('-')[0]];
  return known ? { ...known, differs: DIFFERENCES[name] } : { aim: `${about}.` };
}

/** How a level feels to play against, by its name. @type {Record<string, string>} */
const FEELINGS = {
  Random: 'No plan at all', Newcomer: 'Very gentle', Beginner: 'Gentle', Casual: 'Relaxed', Practised: 'Steady', Skilled: 'Demanding',
  Expert: 'Tough', Master: 'Very tough', Champion: 'As tough as it gets',
};

/** @param {Level} level */
export const feeling = ({ name }) => FEELINGS[name] ?? name;
