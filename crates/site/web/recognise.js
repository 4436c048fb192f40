// What a text is that somebody has pasted: a position or games, and of which rule set.

import { game as find, post, scene as look, site } from './api.js';

/** Whether a text cannot be a position. @param {string} text */
const hasMoves = (text) => /[@{(\n]/.test(text.trim());

/**
 * The first answer of those for each game, this one first, that is no refusal of the text.
 * @template T
 * @param {string} first the name of the game to try first
 * @param {(game: string) => Promise<T>} ask
 * @returns {Promise<T>}
 */
async function fitting(first, ask) {
  const { games } = await site();
  const names = [first, ...games.map(({ name }) => name).filter((name) => name !== first)];
  /** @type {any} */
  let refusal;
  for (const name of names) {
    try {
      return await ask(name);
    } catch (error) {
      refusal ??= error;
      const { wait, unreachable } = /** @type {any} */ (error);
      if (wait || unreachable) break;
    }
  }
  throw refusal;
}

/**
 * The games of a text.
 * @param {string} text
 * @param {string} [wanted] the name of their game, if it is known
 * @param {string} [first] the name of the game to try first
 * @returns {Promise<Archive>}
 */
export async function listed(text, wanted, first) {
  const list = (/** @type {string} */ game) => post('/api/review/games', { game, text });
  if (wanted) return list(wanted);
  // JSON says of which game it is.
  if (text.trim().startsWith('{')) return post('/api/review/games', { text });
  return fitting(first ?? (await site()).games[0].name, list);
}

/**
 * @param {string} text
 * @param {string} first the name of the game to try first
 * @param {boolean} drop whether castling rights that the board rules out are dropped and not refused
 * @returns {Promise<{ game: Game, scene: Scene, found: Archive | null }>} the position, and the game that begins there
 */
export async function recognise(text, first, drop) {
  if (!hasMoves(text)) {
    const [name, scene] = await fitting(first, async (name) => /** @type {[string, Scene]} */ ([name, await look(name, text, '', drop)]));
    return { game: await find(name), scene, found: null };
  }
  const found = await listed(text, undefined, first);
  return { game: await find(found.game), scene: await look(found.game, found.positions[0]), found };
}
