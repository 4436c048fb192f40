// The texts of a room: the status line and the title.

import { capital, h } from '../../dom.js';
import { language, sideOf, t } from '../../language.js';
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
  const side = capital(sideOf(game, scene.side));
  if (end) return [t(room.taken_back ? 'status.over.backs' : 'status.over', { played: turnCount(room) })];
  if (!begun) return [arranging ? h('b', {}, t('status.arrange', { side: sideOf(game, me ?? 0) })) : waiting(room)];
  const player = room.players[scene.side];
  const own = me === scene.side ? t('status.yours') : t('status.move', { side });
  const who = player.kind === 'person' ? own : t('status.thinks', { agent: named(game, player) });
  if (!scene.roll || tumbling) return [h('b', {}, t('status.rolls', { side }))];
  const roll = spoken(scene.roll);
  const left = room.rest ? t('status.left', { roll }) : t('status.rolled', { side, roll });
  const rolls = room.void.map(spoken).join('; ');
  return [h('b', {}, who), h('span', { class: 'soft' }, left), rolls !== '' && h('span', { class: 'soft' }, t('status.void', { rolls }))];
}

/** How many turns the game had; with several dice a turn has several moves. @param {Room} room */
function turnCount({ steps }) {
  const count = steps.filter(({ rest }) => !rest).length;
  const moves = moveCount(steps.length);
  return count === steps.length ? moves : t('status.turns', { turns: t('turns.count', { count }), moves });
}

/** What to say about a piece that may not move when it is pressed. @param {RoomState} state @param {number} square */
export function refusalWords({ room, game, held, me, tumbling, earlier }, square) {
  const { scene, begun, end } = room;
  const piece = scene.board.squares[square]?.piece;
  if (!piece || !begun || end || earlier || !held.length) return '';
  const name = spelled(piece);
  if (!held.includes(piece.side)) {
    return t('refusal.other', { piece: t('square.piece', { side: sideOf(game, piece.side), piece: name }), side: sideOf(game, me ?? scene.side) });
  }
  if (piece.side !== scene.side) return t('refusal.turn', { side: capital(sideOf(game, scene.side)) });
  if (!scene.roll || tumbling) return t('refusal.roll');
  const movable = [...new Set(scene.moves.flatMap(({ from }) => (from === null ? [] : [scene.board.squares[from].piece])).flatMap((found) => (found ? [spelled(found)] : [])))];
  const roll = spoken(scene.roll);
  if (movable.includes(name)) return t('refusal.stuck', { piece: name });
  return movable.length ? t('refusal.movable', { roll, pieces: inWords(movable) }) : t('refusal.none', { roll });
}

/** Pieces in words: a kind of chess pieces, or the numbers of cubes. @param {string[]} names */
const inWords = (names) => new Intl.ListFormat(language, { type: 'disjunction' }).format(names.map((name) => t(/\d/.test(name) ? 'refusal.cube' : 'refusal.kind', { name })));

/** Why a game has not begun. @param {Room} room */
function waiting({ apart }) {
  if (!apart) return t('waiting.begun');
  if (apart.open !== null) return t('waiting.open');
  return t(apart.arranged && !apart.arranged.every(Boolean) ? 'waiting.arranging' : 'waiting.begins');
}

/** The moves of the last turn, in words. @param {Game} game @param {Room} room */
export function turnWords(game, { steps }) {
  const turn = steps.slice(steps.findLastIndex((step) => !step.rest));
  if (!turn.length) return '';
  return t('does.sentence', { side: capital(sideOf(game, turn[0].side)), does: plays(...turn.map(({ move }) => move)) });
}

/** An earlier position in words, with the move that led there. @param {Game} game @param {import('../../tree.js').Place} place */
export function earlierWords(game, { move, roll, rest, side, turn, scene }) {
  const made = move !== null && t(rest ? 'earlier.on' : move === PASS ? 'earlier.passed' : 'earlier.played', { side: capital(sideOf(game, Number(side))), roll: spoken(roll ?? ''), move });
  const next = scene?.roll && t(scene.side === side ? 'earlier.left' : 'earlier.rolls', { side: capital(sideOf(game, scene.side)), roll: spoken(scene.roll) });
  return [h('b', {}, move === null ? t('earlier.start') : t('earlier.turn', { number: String(turn) })), h('span', { class: 'soft' }, [made, next].filter(Boolean).join(' '))];
}

/** Who has won, as this player is told; empty for others. @param {RoomState} state */
export function resultWords({ room, me }) {
  const result = room.end?.result;
  if (me === null || (result !== '1-0' && result !== '0-1')) return '';
  return (result === '1-0') === (me === 0) ? t('result.won') : t('result.lost');
}

/** The title of the page. @param {RoomState} state @param {boolean} turn whether somebody here is to move */
export function titleWords({ room, game, me }, turn) {
  const { scene, end, begun } = room;
  if (end) return ending(game, end, scene).replace(/[.。]$/, '');
  if (!begun) return t('status.before');
  return turn && me !== null ? t('status.yours') : t('status.move', { side: capital(sideOf(game, scene.side)) });
}
