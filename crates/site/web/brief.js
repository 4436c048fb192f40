// What each game is and how one wins it, in a sentence, for the first minute. The rules at length are in `rules/`.

import { called } from './language.js';

/**
 * @typedef {object} Brief
 * @property {string} aim what the players do, and who wins
 * @property {string} [corners] what the tinted squares are
 * @property {string} [differs] what is otherwise than in the game of which this is a variant
 */

/** The briefing of a game, which for a variant is that of its base and the difference. @param {Game} game @returns {Brief} */
export function brief({ name, about }) {
  const base = name.split('-')[0];
  return { aim: called(`aim.${base}`, `${about}.`), corners: called(`corners.${base}`, ''), differs: called(`differs.${name}`, '') };
}

/** How a level feels to play against, by its name. @param {Level} level */
export const feeling = ({ name }) => called(`feeling.${name}`, rank(name));

/** The name of a level. @param {string} name */
export const rank = (name) => called(`rank.${name}`, name);
