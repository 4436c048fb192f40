// What each game is and how one wins it, in a sentence, for the first minute. The rules at length are in `rules/`.

/**
 * @typedef {object} Brief
 * @property {string} aim what the players do, and who wins
 * @property {string} [corners] what the tinted squares are
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

/** The briefing of a game. A variant without one of its own has that of its base. @param {Game} game @returns {Brief} */
export const brief = ({ name, about }) => BRIEFS[name] ?? BRIEFS[name.split('-')[0]] ?? { aim: `${about}.` };

/** How a level feels to play against, by its name. @type {Record<string, string>} */
const FEELINGS = {
  Random: 'No plan at all', Newcomer: 'Very gentle', Beginner: 'Gentle', Casual: 'Relaxed', Practised: 'Steady', Skilled: 'Demanding',
  Expert: 'Tough', Master: 'Very tough', Champion: 'As tough as it gets',
};

/** @param {Level} level */
export const feeling = ({ name }) => FEELINGS[name] ?? name;
