// The choices on the first page, which are kept for the next visit, and the request for a game that follows from them.

import { myself } from '../../person.js';
import { rows, setupText } from '../../setup.js';
import { storage } from '../../storage.js';

/** The key under which the choices are stored. */
const KEPT = 'play';
/** The minimum time for an agent's move in milliseconds, so that people can follow: between agents, and against a person. */
const [PACE_OF_AGENTS_MS, PACE_MS] = [1100, 900];

/**
 * @typedef {object} Choice
 * @property {string} game
 * @property {string} mode the kind of players: 'agent' for a person and an agent, 'people' or 'agents'
 * @property {number} level the first is 1
 * @property {string} other the agent that plays instead of the level, if any
 * @property {string[]} agents the agents of a game between two of them, the first side first
 * @property {string} side which side a person has: '0', '1' or 'chance'
 * @property {string} dice 'rolled' or 'typed'
 * @property {string} clock minutes for the game and, behind a plus, seconds for each move
 * @property {string} place where two people play: 'board' for one, 'apart' for two devices
 * @property {string} guest who may join on the other device: 'invited' or 'anybody'
 * @property {string} setup on two devices: 'arrange' or 'lot'
 */

/** The choices of the last visit. @returns {Partial<Choice>} */
export const kept = () => storage.json(KEPT) ?? {};

/** @param {Choice} choice */
export const keep = (choice) => storage.set(KEPT, JSON.stringify(choice));

/** The choices that mean the same in every game. */
const COMMON = ['mode', 'side', 'dice', 'clock', 'place', 'guest', 'setup'];

/**
 * The choices to begin with: the last ones, as far as they fit the game.
 * @param {Game} game
 * @param {Site} site
 * @param {string | null} mode the kind of players in the address
 * @returns {Choice}
 */
export function initial(game, { agents, agent: champion, lobby }, mode) {
  const last = kept();
  const other = game.levels.length ? '' : champion;
  const fitting = Object.entries(last).filter(([name]) => last.game === game.name || COMMON.includes(name));
  const choice = {
    game: game.name,
    mode: 'agent',
    level: Math.min(3, game.levels.length),
    other,
    agents: [game.levels[2]?.spec ?? champion, champion],
    side: 'chance',
    dice: 'rolled',
    clock: '0',
    place: 'board',
    guest: 'invited',
    setup: 'arrange',
    ...Object.fromEntries(fitting),
  };
  if (mode && ['agent', 'people', 'agents'].includes(mode)) choice.mode = mode;
  const known = [...game.engines, ...agents.map(({ name }) => name)];
  if (!known.includes(choice.other)) choice.other = other;
  choice.level = Math.min(choice.level, game.levels.length);
  if (!lobby) choice.guest = 'invited';
  return choice;
}

/** Whether two people play on two devices. @param {Choice} choice */
export const apart = ({ mode, place }) => mode === 'people' && place === 'apart';

/** The side at the bottom of the board: the one that the person has chosen. @param {Choice} choice */
export const own = ({ side }) => (side === '1' ? 1 : 0);

/** Whether the reader arranges the pieces of a side. @param {Choice} choice @param {number} side */
export const arranges = (choice, side) => choice.mode === 'people' || choice.side === 'chance' || side === own(choice);

/**
 * The request for the game.
 * @param {Choice} choice
 * @param {Game} game
 * @param {Scene} scene the start with the pieces as they are arranged
 * @param {boolean} [given] whether the game begins from this position, whatever the set-ups are
 */
export function request(choice, game, scene, given = false) {
  const { mode, dice, clock } = choice;
  const side = choice.side === 'chance' ? Math.floor(2 * Math.random()) : own(choice);
  return {
    game: game.name,
    players: [0, 1].map((one) => player(choice, game, one, side)),
    ...(given ? { position: scene.at_rest } : arranged(choice, game, scene, side)),
    ...(apart(choice) ? { guest: 1 - side, listed: choice.guest === 'anybody' } : {}),
    typed_dice: dice === 'typed' && mode !== 'agents',
    clock: clock !== '0' && mode !== 'agents' ? times(clock) : null,
    pace_ms: mode === 'agents' ? PACE_OF_AGENTS_MS : PACE_MS,
  };
}

/**
 * The player of a side.
 * @param {Choice} choice
 * @param {Game} game
 * @param {number} side
 * @param {number} person the side of the visitor
 * @returns {Player}
 */
function player(choice, game, side, person) {
  const { mode, agents, other, level } = choice;
  if (mode === 'people') return apart(choice) && side === person ? myself() : { kind: 'person' };
  if (mode === 'agent' && side === person) return myself();
  return { kind: 'agent', spec: mode === 'agents' ? agents[side] : other || game.levels[level - 1].spec };
}

/**
 * The set-ups with which the game begins.
 * @param {Choice} choice
 * @param {Game} game
 * @param {Scene} scene
 * @param {number} side the side of a person who plays an agent, or of the host
 */
function arranged(choice, game, { board, position }, side) {
  if (!game.setup) return {};
  if (apart(choice)) return { arrange: choice.setup === 'arrange' };
  if (choice.mode === 'agent') return { setups: [0, 1].map((one) => (one === side ? setupText(game, one, board) : 'book')) };
  const [, ...rest] = position.split(' ');
  return { position: [rows(board), ...rest].join(' ') };
}

/** @param {string} clock */
function times(clock) {
  const [minutes, increment = 0] = clock.split('+').map(Number);
  return { seconds: 60 * minutes, increment };
}
