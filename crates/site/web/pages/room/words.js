// The texts of a room: the status line and the title.

import { capital, h } from '../../dom.js';
import { moveCount, plays, spoken } from '../../moves.js';
import { ending, named } from '../shared.js';

/** @typedef {import('./state.js').RoomState} RoomState */

/**
 * The state of the game.
 * @param {RoomState} state
 * @param {boolean} arranging whether this player has to arrange pieces
 * @returns {(Node | string | false)[]}
 */
export function statusWords({ room, game, me, tumbling }, arranging) {
  const { scene, end, begun } = room;
  const side = capital(game.sides[scene.side]);
  if (end) return [`After ${moveCount(room.steps.length)}${room.taken_back ? ', with take-backs' : ''}.`];
  if (!begun) return [arranging ? h('b', {}, `Arrange your pieces: you are ${game.sides[me ?? 0]}`) : waiting(room)];
  const player = room.players[scene.side];
  const own = me === scene.side ? 'Your turn' : `${side} to move`;
  const who = player.kind === 'person' ? own : `${named(game, player)} thinks …`;
  if (!scene.roll || tumbling) return [h('b', {}, `${side} rolls`)];
  const left = room.rest ? `left: ${spoken(scene.roll)}` : `${side} has rolled ${spoken(scene.roll)}`;
  const none = room.void.map(spoken).join(', ');
  return [h('b', {}, who), h('span', { class: 'soft' }, `${capital(left)}.`), none !== '' && h('span', { class: 'soft' }, `Before it, with nothing to move: ${none}.`)];
}

/** Why a game has not begun. @param {Room} room */
function waiting({ apart }) {
  if (!apart) return 'The game has not begun.';
  if (apart.open !== null) return 'Waiting for the other person.';
  return apart.arranged && !apart.arranged.every(Boolean) ? 'Both arrange their pieces, unseen by the other.' : 'Both are here; the game begins.';
}

/** The moves of the last turn, in words. @param {Game} game @param {Room} room */
export function turnWords(game, { steps }) {
  const turn = steps.slice(steps.findLastIndex((step) => !step.rest));
  if (!turn.length) return '';
  const side = capital(game.sides[turn[0].side]);
  return `${side} ${plays(...turn.map(({ move }) => move))}`;
}

/** A step in words. @param {Game} game @param {ShownStep} step @param {number} number */
export function pastWords(game, step, number) {
  const rolled = `${capital(game.sides[step.side])} ${step.rest ? 'has left' : 'has rolled'} ${spoken(step.roll)}`;
  return [h('b', {}, `Move ${number + 1}`), h('span', { class: 'soft' }, `${rolled} and ${plays(step.move)}.`)];
}

/** The title of the page. @param {RoomState} state @param {boolean} turn whether somebody here is to move */
export function titleWords({ room, game, me }, turn) {
  const { scene, end, begun } = room;
  if (end) return ending(game, end, scene).replace(/\.$/, '');
  if (!begun) return 'Before the game';
  return turn && me !== null ? 'Your turn' : `${capital(game.sides[scene.side])} to move`;
}
