// The texts of a room: the status line and the title.

import { capital, h } from '../../dom.js';
import { PASS, moveCount, plays, spoken } from '../../moves.js';
import { spelled } from '../../pieces.js';
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
  if (end) return [`${capital(turnCount(room))}${room.taken_back ? ', with take-backs' : ''}.`];
  if (!begun) return [arranging ? h('b', {}, `Arrange your pieces: you are ${game.sides[me ?? 0]}`) : waiting(room)];
  const player = room.players[scene.side];
  const own = me === scene.side ? 'Your turn' : `${side} to move`;
  const who = player.kind === 'person' ? own : `${named(game, player)} thinks …`;
  if (!scene.roll || tumbling) return [h('b', {}, `${side} rolls`)];
  const left = room.rest ? `left: ${spoken(scene.roll)}` : `${side} has rolled ${spoken(scene.roll)}`;
  const none = room.void.map(spoken).join('; ');
  return [h('b', {}, who), h('span', { class: 'soft' }, `${capital(left)}.`), none !== '' && h('span', { class: 'soft' }, `Rolled again, because no piece could move: ${none}.`)];
}

/** How many turns the game had; with several dice a turn has several moves. @param {Room} room */
function turnCount({ steps }) {
  const turns = steps.filter(({ rest }) => !rest).length;
  return turns === steps.length ? moveCount(turns) : `${turns} turn${turns === 1 ? '' : 's'} with ${moveCount(steps.length)}`;
}

/** What to say about a piece that may not move when it is pressed. @param {RoomState} state @param {number} square */
export function refusalWords({ room, game, held, me, tumbling, earlier }, square) {
  const { scene, begun, end } = room;
  const piece = scene.board.squares[square]?.piece;
  if (!piece || !begun || end || earlier || !held.length) return '';
  const name = `${game.sides[piece.side]} ${spelled(piece)}`;
  if (!held.includes(piece.side)) return `This is the ${name}. You play ${game.sides[me ?? scene.side]}.`;
  if (piece.side !== scene.side) return `It is ${capital(game.sides[scene.side])}’s turn.`;
  if (!scene.roll || tumbling) return 'The roll decides which piece may move.';
  const movable = [...new Set(scene.moves.flatMap(({ from }) => (from === null ? [] : [scene.board.squares[from].piece])).flatMap((found) => (found ? [spelled(found)] : [])))];
  const roll = `The roll is ${spoken(scene.roll)}`;
  if (movable.includes(spelled(piece))) return `This ${spelled(piece)} cannot move: every square that it could go to is out of reach or taken.`;
  return movable.length ? `${roll}, so ${inWords(movable)} may move.` : `${roll}, and nothing can move.`;
}

/** Pieces in words: a kind of chess pieces, or the numbers of cubes. @param {string[]} names */
function inWords(names) {
  const several = names.map((name) => (/\d/.test(name) ? `the ${name}` : `a ${name}`));
  return several.length > 1 ? `${several.slice(0, -1).join(', ')} or ${several[several.length - 1]}` : several[0];
}

/** Why a game has not begun. @param {Room} room */
function waiting({ apart }) {
  if (!apart) return 'The game has not begun.';
  if (apart.open !== null) return 'Waiting for the other player.';
  return apart.arranged && !apart.arranged.every(Boolean) ? 'Both players arrange their pieces in secret.' : 'Both players are here; the game begins.';
}

/** The moves of the last turn, in words. @param {Game} game @param {Room} room */
export function turnWords(game, { steps }) {
  const turn = steps.slice(steps.findLastIndex((step) => !step.rest));
  if (!turn.length) return '';
  const side = capital(game.sides[turn[0].side]);
  return `${side} ${plays(...turn.map(({ move }) => move))}`;
}

/** An earlier position in words, with the move that led there. @param {Game} game @param {import('../../tree.js').Place} place */
export function earlierWords(game, { move, roll, rest, side, turn, scene }) {
  const rolled = rest ? '' : `rolled ${spoken(roll ?? '')} and `;
  const made = move !== null && `${capital(game.sides[side])} has ${rolled}${move === PASS ? 'passed' : `played ${move}`}.`;
  const next = scene?.roll && `${capital(game.sides[scene.side])} ${scene.side === side ? 'has left' : 'rolls'} ${spoken(scene.roll)}.`;
  return [h('b', {}, move === null ? 'The start' : `Turn ${turn}`), h('span', { class: 'soft' }, [made, next].filter(Boolean).join(' '))];
}

/** Who has won, as this player is told; empty for others. @param {RoomState} state */
export function resultWords({ room, me }) {
  const result = room.end?.result;
  if (me === null || (result !== '1-0' && result !== '0-1')) return '';
  return (result === '1-0') === (me === 0) ? 'You won!' : 'You lost.';
}

/** The title of the page. @param {RoomState} state @param {boolean} turn whether somebody here is to move */
export function titleWords({ room, game, me }, turn) {
  const { scene, end, begun } = room;
  if (end) return ending(game, end, scene).replace(/\.$/, '');
  if (!begun) return 'Before the game';
  return turn && me !== null ? 'Your turn' : `${capital(game.sides[scene.side])} to move`;
}
