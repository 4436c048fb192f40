// Checks that the dice of a game were fair, without trusting anything that the server says about it.

import { t } from './language.js';

/** The faces that a game's dice can show, one entry for each equally likely outcome. @param {string} game @returns {string[]} */
function ways(game) {
  if (!game.startsWith('dicechess')) return [...'123456'];
  const kinds = [...'PNBRQK'];
  if (game !== 'dicechess3') return kinds;
  const three = kinds.flatMap((low, i) => kinds.slice(i).flatMap((mid, j) => kinds.slice(i + j).map((high) => low + mid + high)));
  return three.flatMap((dice) => Array(/** @type {Record<number, number>} */ ({ 1: 1, 2: 3, 3: 6 })[new Set(dice).size]).fill(dice));
}

/** @param {string} text */
export async function sha(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @typedef {{ roll: string, number?: number, void?: string[], rest?: boolean, move?: string }} Turn */

/**
 * The turns of the game at each take-back and at the end, with the number of turns that remained.
 * @param {RoomRecord} record
 * @returns {{ kept: number, line: Turn[] }[]}
 */
function lines(record) {
  const turns = (/** @type {{ steps: Turn[], rolled?: Turn }} */ { steps, rolled }) => [...steps, ...(rolled ? [rolled] : [])];
  let line = turns(record);
  const found = [];
  for (const back of [...(record.taken_back ?? [])].reverse()) {
    found.unshift({ kept: back.kept, line });
    line = [...line.slice(0, back.kept), ...turns(back)];
  }
  return [{ kept: 0, line }, ...found];
}

/** @typedef {{ number: number, roll: string, hash: string, fell: string, what: 'played' | 'void' | 'unplayed' | 'taken back' }} CheckedRoll */

/**
 * Computes every roll again.
 * @param {RoomRecord} record
 * @param {{ commitment: string, salt: string } | null} kept the commitment and the salt from before the game
 * @returns {Promise<{ forged: string | null, rows: CheckedRoll[] }>}
 */
export async function check(record, kept) {
  /** @type {CheckedRoll[]} */
  const rows = [];
  try {
    return { forged: await forgery(record, kept, rows), rows };
  } catch (error) {
    return { forged: t('forged.broken', { error: /** @type {Error} */ (error).message }), rows };
  }
}

/**
 * @param {RoomRecord} record
 * @param {{ commitment: string, salt: string } | null} kept
 * @param {CheckedRoll[]} rows
 */
async function forgery(record, kept, rows) {
  const { dice } = record;
  if (dice.kind !== 'fair' || !dice.seed) throw new Error(t('forged.seed.none'));
  if (kept && kept.commitment !== dice.commitment) return t('forged.commitment');
  if (kept && !dice.salt.split('-').includes(kept.salt)) return t('forged.salt');
  if ((await sha(dice.seed)) !== dice.commitment) return t('forged.seed');
  const faces = ways(record.game);
  let seen = 0;
  /** @type {Turn[] | null} */
  let before = null;
  for (const { kept: from, line } of lines(record)) {
    const pieces = faces.join('') === 'PNBRQK' ? new Pieces(record.start, record.game) : null;
    for (const [place, turn] of line.entries()) {
      const { roll, number, rest, move } = turn;
      const none = turn.void ?? [];
      if (rest) {
        const left = [...(line[place - 1]?.roll ?? '')].sort();
        const fits = left.some((_, n) => left.filter((__, m) => m !== n).join('') === [...roll].sort().join(''));
        if (pieces || !fits) return t('forged.dice', { move: place + 1 });
      } else if (place === from && before) {
        const old = before[place];
        if (old.roll !== roll || old.number !== number || String(old.void ?? []) !== String(none)) return t('forged.back', { roll: String(number) });
      } else if (place >= from) {
        for (const face of [...none, roll]) {
          seen += 1;
          const hash = await sha(`${dice.seed}:${dice.salt}:${seen}`);
          const fell = faces[Number(BigInt(`0x${hash}`) % BigInt(faces.length))];
          rows.push({ number: seen, roll: face, hash, fell, what: face !== roll || seen !== number ? 'void' : move ? 'played' : 'unplayed' });
          if (fell !== face) return t('forged.fell', { roll: seen, face });
        }
        if (number !== seen || none.some((face) => !pieces || pieces.move(face))) return t('forged.out', { roll: seen });
      }
      if (pieces && move) pieces.play(move);
    }
    before = line;
  }
  const played = new Set(record.steps.map(({ number }) => number));
  for (const row of rows) if (row.what === 'played' && !played.has(row.number)) row.what = 'taken back';
  return seen === dice.rolls ? null : t('forged.count', { count: dice.rolls, seen });
}

const STRAIGHT = [[0, 1], [1, 0], [0, -1], [-1, 0]];
const DIAGONAL = [[1, 1], [1, -1], [-1, -1], [-1, 1]];
const JUMPS = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];
/** @type {Record<string, number[][]>} */
const NEAR = { N: JUMPS, B: DIAGONAL, R: STRAIGHT, Q: [...STRAIGHT, ...DIAGONAL], K: [...STRAIGHT, ...DIAGONAL] };
const SQUARES = [...Array(64).keys()].map((n) => 'abcdefgh'[n % 8] + (1 + Math.floor(n / 8)));

/** The square at an offset from another one, if there is one. @param {string} square @param {number} dx @param {number} dy */
function at(square, dx, dy) {
  const [x, y] = [square.charCodeAt(0) - 97 + dx, Number(square[1]) - 1 + dy];
  return x >= 0 && x < 8 && y >= 0 && y < 8 ? SQUARES[8 * y + x] : null;
}

/** As much of the rules of Dice Chess as is needed to say whether a kind of piece can move. */
class Pieces {
  /** @param {string} fen @param {string} rules */
  constructor(fen, rules) {
    const [rows, side, , passed] = fen.split(' ');
    /** @type {Map<string, string>} */
    this.pieces = new Map();
    this.white = side === 'w';
    this.passed = passed;
    this.promotes = rules === 'dicechess-promotion';
    rows.split('/').forEach((row, y) => {
      const signs = [...row.replace(/\d/g, (digit) => ' '.repeat(Number(digit)))];
      signs.forEach((sign, x) => sign !== ' ' && this.pieces.set(SQUARES[8 * (7 - y) + x], sign));
    });
  }

  /** @param {string} piece */
  #own(piece) {
    return (piece === piece.toUpperCase()) === this.white;
  }

  /** Whether a piece of this kind can move. @param {string} face */
  move(face) {
    const ahead = this.white ? 1 : -1;
    return [...this.pieces].some(([square, piece]) => {
      if (!this.#own(piece)) return false;
      const kind = piece.toUpperCase();
      if (kind === face && kind !== 'P') {
        return NEAR[face].some(([dx, dy]) => {
          const to = at(square, dx, dy);
          const there = to && this.pieces.get(to);
          return to && !(there && this.#own(there));
        });
      }
      const last = square[1] === (this.white ? '7' : '2');
      if (kind !== 'P' || !(face === 'P' || (this.promotes && last && 'NBRQ'.includes(face)))) return false;
      const takes = [at(square, -1, ahead), at(square, 1, ahead)];
      return !this.pieces.has(at(square, 0, ahead) ?? '') || takes.some((to) => {
        const there = to && this.pieces.get(to);
        return to && ((there && !this.#own(there)) || to === this.passed);
      });
    });
  }

  /** @param {string} move */
  play(move) {
    const [from, to, become] = [move.slice(0, 2), move.slice(2, 4), move.slice(4)];
    const piece = this.pieces.get(from);
    if (!piece) throw new Error(t('forged.square', { square: from }));
    const far = to.charCodeAt(0) - from.charCodeAt(0);
    const pawn = piece.toUpperCase() === 'P';
    this.pieces.delete(from);
    if (pawn && far !== 0 && !this.pieces.has(to)) this.pieces.delete(to[0] + from[1]);
    if (piece.toUpperCase() === 'K' && Math.abs(far) === 2) {
      const corner = (far > 0 ? 'h' : 'a') + from[1];
      this.pieces.set(/** @type {string} */ (at(from, far / 2, 0)), /** @type {string} */ (this.pieces.get(corner)));
      this.pieces.delete(corner);
    }
    const now = become || piece;
    this.pieces.set(to, this.white ? now.toUpperCase() : now.toLowerCase());
    const two = Math.abs(Number(to[1]) - Number(from[1])) === 2;
    this.passed = pawn && two ? (at(from, 0, this.white ? 1 : -1) ?? '-') : '-';
    this.white = !this.white;
  }
}
