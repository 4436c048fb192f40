// A finished or uploaded game: what each move lost, how lucky each roll was.

import { game as find, get, post, scene as look, site } from '../api.js';
import { board, isAbove } from '../board.js';
import { inline } from '../dice.js';
import { capital, fill, h, percent, s, select } from '../dom.js';
import { moveTable } from '../scores.js';
import { plays, squares, unsquared } from '../moves.js';
import { listed } from '../recognise.js';
import { GameTree, path } from '../tree.js';
import { TreePanel } from '../treepanel.js';
import { dress, named, swatch } from './shared.js';

/** The names of the marks. @type {Record<string, string>} */
const MARKS = { doubtful: 'doubtful', error: 'error', blunder: 'blunder' };

/** The longest text of a file that is put into the box; a longer one is only named. */
const MAX_SHOWN = 4000;
/** How long a review takes at most if the server has nothing else to do, in seconds. */
const MAX_SECONDS = 12;
/** The maximum size of an upload, in bytes. */
const MOST = 5 * 1024 * 1024;
/** The number of marked moves that are listed. */
const SHOWN = 6;
/** How a file of games in JSON lines begins. */
const JSON_LINES = '{"format":"wurfel-games"';
/** The number of games that are listed at once. */
const LISTED = 200;

/** Ends the review that is shown. @type {() => void} */
let halt = () => {};

/** @type {Page} */
export async function review(main, [id], query) {
  const place = h('div', { class: 'reviewed' });
  if (id) {
    const record = /** @type {RoomRecord} */ (await get(`/api/rooms/${encodeURIComponent(id)}/record`));
    fill(main, h('p', { class: 'soft eyebrow' }, h('a', { href: `/room/${id}` }, 'The game')), h('h1', {}, 'Review'), Boolean(record.taken_back?.length) && h('p', { class: 'note' }, 'A game with take-backs: what was taken back is not reviewed.'), place);
    void open(place, JSON.stringify(record), '');
    return () => halt();
  }
  const { games } = await site();
  let chosen = query.get('game') ?? '';
  const text = h('textarea', { rows: 5, 'aria-label': 'The game as text', spellcheck: false, placeholder: 'ABC2/DE3/F3f/3ed/2cba r - 1 @4 a4b4 @1 e1d2 …' });
  /** The content of the chosen file, if it is too long for the box. */
  let uploaded = '';
  const long = h('div', { class: 'offers' });
  const box = (/** @type {string} */ content, name = '') => {
    uploaded = content.length > MAX_SHOWN ? content : '';
    text.value = uploaded ? '' : content;
    text.hidden = uploaded !== '';
    fill(long, uploaded && h('span', {}, `${name}, ${uploaded.length.toLocaleString()} characters`), uploaded && h('button', { type: 'button', onclick: () => {
      file.value = '';
      box('');
      text.focus();
    } }, 'Remove'));
  };
  const problem = h('p', { class: 'problem', role: 'alert' });
  const file = h('input', {
    type: 'file', 'aria-label': 'A file with games',
    onchange: async () => {
      const found = file.files?.[0];
      if (!found) return;
      problem.textContent = found.size > MOST ? `The file has ${found.size.toLocaleString()} bytes; at most ${MOST.toLocaleString()} are read here. wurfel review reads any.` : '';
      if (found.size <= MOST) box(decoded(await found.arrayBuffer()), found.name);
    },
  });
  const said = [{ value: '', label: 'Found in the text' }, ...games.map(({ name, title }) => ({ value: name, label: title }))];
  fill(
    main,
    h('div', { class: 'text-page' },
      h('h1', {}, 'Review'),
      h('p', { class: 'lead' }, 'What each move of a game lost, and how lucky each roll was.'),
      h('div', { class: 'options' },
        select('Game', said, chosen, (value) => {
          chosen = value;
        }),
        h('p', { class: 'soft' }, 'Paste a game or choose a file: a list of rolls and moves, a game saved here, games of ', h('code', {}, 'wurfel match'), ' or ', h('code', {}, 'wurfel play'), ', or a WTN record.'),
        text, long, file, problem,
        h('div', { class: 'actions' }, h('button', { class: 'primary', type: 'button', onclick: () => open(place, uploaded || text.value, chosen) }, 'Review')))),
    place,
  );
  return () => halt();
}

/** The text of a file: UTF-8, UTF-16 with a byte order mark, or GBK as Chinese programs write it. @param {ArrayBuffer} bytes */
function decoded(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const [one, other] = new Uint8Array(bytes);
    const wide = one === 0xff && other === 0xfe ? 'utf-16le' : one === 0xfe && other === 0xff ? 'utf-16be' : undefined;
    return new TextDecoder(wide ?? 'gbk').decode(bytes);
  }
}

/**
 * Reviews the game of a text, or lets the reader choose one of several.
 * @param {HTMLElement} page
 * @param {string} text
 * @param {string} wanted the name of the game, if it was chosen
 */
async function open(page, text, wanted) {
  // What was asked for before draws into a place that is no longer shown.
  const place = h('div', {});
  fill(page, place);
  fill(place, h('p', { class: 'note', role: 'status' }, 'Reading the games …'));
  try {
    const found = await listed(text, wanted);
    const game = await find(found.game);
    const result = h('div', {});
    fill(place, found.games.length > 1 && chooseGame(found, game, (number) => {
      const fresh = h('div', {});
      fill(result, fresh);
      void analyse(fresh, game, text, number, recordOf(found, text, number));
    }), result);
    if (found.games.length === 1) void analyse(result, game, text, 1, found.record);
  } catch (error) {
    fill(place, h('p', { class: 'problem', role: 'alert' }, /** @type {Error} */ (error).message));
  }
}

/**
 * A list of the games of a file, to choose one.
 * @param {Archive} found
 * @param {Game} game
 * @param {(number: number) => void} take
 */
function chooseGame({ games, more }, game, take) {
  const list = h('ol', { class: 'chips games' });
  const further = h('div', { class: 'actions' });
  let shown = 0;
  const grow = () => {
    const next = games.slice(shown, shown + LISTED);
    list.append(...next.map(({ players, result, plies }, n) => {
      const number = shown + n + 1;
      const button = h('button', { type: 'button', onclick: () => {
        for (const other of list.querySelectorAll('[aria-pressed]')) other.setAttribute('aria-pressed', 'false');
        button.setAttribute('aria-pressed', 'true');
        take(number);
      }, 'aria-pressed': 'false' }, h('b', {}, `${number}.`), ` ${players[0]} – ${players[1]} `, h('span', { class: 'soft' }, `${result}, ${plies} turns`));
      return h('li', {}, button);
    }));
    shown += next.length;
    fill(further, shown < games.length && h('button', { type: 'button', onclick: grow }, `Show more: ${shown} of ${games.length} are listed`));
  };
  grow();
  const count = `${games.length.toLocaleString()}${more ? ' and more' : ''}`;
  return h('section', { class: 'archive' }, h('h2', {}, `${count} games of ${game.title}: which one?`), list, further);
}

/** Only the game with this number if the text is JSON lines; else all of it. @param {string} text @param {number} number */
function only(text, number) {
  if (!text.startsWith(JSON_LINES)) return { text, number };
  const [first, ...lines] = text.split('\n').filter((line) => line.trim());
  return { text: `${first}\n${lines[number - 1]}\n`, number: 1 };
}

/** The record of a game, where it has comments and variations: in JSON lines, of which the list has the first. @param {Archive} found @param {string} text @param {number} number @returns {GameRecord | null} */
function recordOf({ record }, text, number) {
  if (number === 1) return record;
  const [, line] = only(text, number).text.split('\n');
  return text.startsWith(JSON_LINES) ? JSON.parse(line) : null;
}

/**
 * @param {HTMLElement} place
 * @param {Game} game
 * @param {string} text
 * @param {number} number
 * @param {GameRecord | null} record
 */
async function analyse(place, game, text, number, record) {
  const ended = waiting(place);
  try {
    await show(place, game, await post('/api/review', { game: game.name, ...only(text, number) }), record);
    place.scrollIntoView({ block: 'nearest' });
  } catch (error) {
    fill(place, h('p', { class: 'problem', role: 'alert' }, /** @type {Error} */ (error).message));
  } finally {
    ended();
  }
}

/** Says how long the review takes, while it is made. @param {HTMLElement} place @returns {() => void} ends it */
function waiting(place) {
  const bar = h('progress', { max: MAX_SECONDS, value: 0, 'aria-label': 'Time of the review' });
  const words = h('p', { class: 'note' }, `Analysing every position. This takes at most about ${MAX_SECONDS} seconds.`);
  fill(place, h('div', { role: 'status' }, words), bar);
  const began = performance.now();
  const timer = setInterval(() => {
    const seconds = (performance.now() - began) / 1000;
    if (seconds < MAX_SECONDS) bar.value = seconds;
    else if (bar.hasAttribute('value')) {
      bar.removeAttribute('value');
      words.textContent = 'Still analysing: the server has other searches to make as well.';
    }
  }, 250);
  return () => clearInterval(timer);
}

/** A value in points, with its sign. @param {number} value */
const signed = (value) => `${value >= 0 ? '+' : '−'}${Math.abs(100 * value).toFixed(1)}`;

/** How many turns. @param {number} count */
const turns = (count) => `${count} ${count === 1 ? 'turn' : 'turns'}`;

/** By which search the values are, in words. @param {string} analyser @param {Review['depth']} depth */
function searched(analyser, depth) {
  if (!depth) return `by ${analyser}, exactly`;
  const [least, most] = depth;
  return `by ${analyser}, by a search of ${least === most ? turns(most) : `${least} to ${turns(most)}`}`;
}

/** Who has won, in words. @param {Game} game @param {string} result */
const won = (game, result) =>
  ({ '1-0': `${capital(game.sides[0])} has won`, '0-1': `${capital(game.sides[1])} has won`, '1/2-1/2': 'a draw' })[result] ?? 'not finished';

/**
 * @param {HTMLElement} place
 * @param {Game} game
 * @param {Review} found
 * @param {GameRecord | null} record the game with its comments and variations
 */
async function show(place, game, { analyser, depth, players, result, initial, final: last, residual, assumed, moves }, record) {
  dress(place, game);
  const decisions = moves.map((move) => ({ ...move, side: game.sides.indexOf(move.side), rest: move.before === null }));
  const view = board();
  const detail = h('div', { class: 'results' });
  let flipped = isAbove(game.start.board, 0);
  /** The first side's value after each decision. */
  const values = [initial, ...decisions.map(({ side, after }) => (side === 0 ? after : 1 - after))];
  const graph = h('div', { class: 'graph' });
  const worst = decisions.map((decision, n) => ({ ...decision, n })).filter(({ mark }) => mark).sort((one, other) => other.lost - one.lost);

  const tree = new GameTree(await look(game.name, decisions[0]?.position ?? record?.start ?? game.start.position));
  tree.follow(decisions.map(({ side, move, roll, rest, position }) => ({ side, move, roll, rest, position })), null);
  if (record) tree.grow(record);
  const places = tree.line();
  decisions.forEach(({ mark }, n) => {
    if (mark) places[n + 1].mark = mark;
  });
  const panel = new TreePanel({
    game: () => game, tree: () => tree, board: view, isWritable: true, show: go, result: () => result,
    players: /** @type {[string, string]} */ (players.map(({ player }, side) => player || game.sides[side])),
    turn: () => {
      flipped = !flipped;
      go(tree.current);
    },
  });
  halt();
  halt = () => panel.close();

  /** What is said of the move that led to a position. @param {typeof decisions[number]} made @param {number} number */
  const judged = ({ side, move, lost, mark, moves: [best] }, number) =>
    h('p', { class: 'soft' }, `${number}. ${capital(game.sides[side])} ${plays(move)} and loses ${(100 * lost).toFixed(1)} points`, mark && h('span', { class: `mark ${mark}` }, MARKS[mark]), mark && best.move !== move ? `; ${unsquared(best.move)} was the best.` : '.');

  /** Shows a position, what was decided there, and how good the move before it was. @param {import('../tree.js').Place} at */
  function go(at) {
    const { board: shown } = /** @type {Scene} */ (at.scene);
    const n = places.indexOf(at);
    const step = n < 0 ? undefined : decisions[n];
    const best = step?.moves[0]?.move;
    const alike = step ? step.again || step.moves.length : 0;
    const marks = step?.moves.slice(0, Math.min(6, alike)).map(({ move, value }) => {
      const found = squares(shown, move);
      return { from: found?.from ?? null, to: found?.to ?? null, value, best: move === best };
    });
    view.show(shown, { label: `After ${path(at).filter(({ move }) => move !== null).length} moves`, sides: game.sides, flipped, marks, last: at.move === null ? null : squares(shown, at.move) });
    if (n >= 0) draw(n);
    fill(
      detail,
      n > 0 && judged(decisions[n - 1], n),
      step && h('p', { class: 'status' }, `Move ${n + 1}: ${capital(game.sides[step.side])} ${step.rest ? 'goes on with' : 'rolls'} `, inline(step.roll), ` and ${plays(step.move)}`, step.mark && h('span', { class: `mark ${step.mark}` }, MARKS[step.mark])),
      step && h('p', { class: 'soft' }, `${step.rest ? 'The' : `The roll is worth ${signed(step.luck)} points, the`} move loses ${(100 * step.lost).toFixed(1)}${step.rest ? ' points' : ''}.`,
        step.unconfirmed && ' It was not looked at again, because the time was over: the mark is less certain than others.',
        step.again > 0 && step.again < step.moves.length && ` ${step.again === 1 ? 'It was' : `${step.again} moves were`} searched again, one turn deeper; the others cannot be compared with ${step.again === 1 ? 'it' : 'them'}.`),
      step && moveTable(step.moves, step.side, { made: step.move, alike }),
      n < 0 && h('p', { class: 'note' }, 'A variation, which was not reviewed.'),
    );
  }

  function draw(/** @type {number} */ at) {
    const [width, height] = [600, 160];
    const x = (/** @type {number} */ n) => (width * n) / Math.max(1, values.length - 1);
    const y = (/** @type {number} */ value) => height * (1 - value);
    const line = values.map((value, n) => `${n ? 'L' : 'M'}${x(n).toFixed(1)} ${y(value).toFixed(1)}`).join('');
    const dots = worst.map(({ n, mark }) => s('circle', { cx: x(n + 1), cy: y(values[n + 1]), r: 5, class: `dot ${mark}` }));
    const picture = s(
      'svg',
      { viewBox: `-6 -6 ${width + 12} ${height + 12}`, role: 'img', 'aria-label': `Win probability of ${game.sides[0]} over the game` },
      s('path', { d: `${line}L${width} ${height}L0 ${height}z`, class: 'area' }),
      s('line', { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: 'half' }),
      s('path', { d: line, class: 'curve' }),
      s('line', { x1: x(at), x2: x(at), y1: 0, y2: height, class: 'cursor' }),
      ...dots,
    );
    picture.addEventListener('click', (event) => {
      const box = picture.getBoundingClientRect();
      const n = Math.round((((/** @type {MouseEvent} */ (event).clientX - box.x) / box.width) * (width + 12) - 6) / width * (values.length - 1));
      void panel.visit(places[Math.max(0, Math.min(decisions.length, n))]);
    });
    fill(graph, h('figure', {}, h('figcaption', {}, `Win probability of ${capital(game.sides[0])} after each move; press to go there.`), picture));
  }

  /** The rows of the table of both sides. @type {[string, (side: Review['players'][number]) => string][]} */
  const told = [
    ['Luck', ({ totals }) => signed(totals.luck)],
    ['Lost by moves', ({ totals }) => (100 * totals.lost).toFixed(1)],
    ['Doubtful moves', ({ totals }) => String(totals.doubtful)],
    ['Errors', ({ totals }) => String(totals.errors)],
    ['Blunders', ({ totals }) => String(totals.blunders)],
    ['Lost per move', ({ error_rate: rate }) => (rate === null ? '–' : percent(rate))],
    [depth ? `Grade, by a search of ${turns(depth[0])}` : 'Grade, by exact values', ({ grade }) => grade ?? '–'],
  ];
  const table = h('table', { class: 'standings' },
    h('caption', { class: 'unseen' }, 'Luck and losses of each side, in points of win probability'),
    h('thead', {}, h('tr', {}, h('td', {}), ...game.sides.map((name, side) => h('th', { scope: 'col', class: 'number' }, swatch(side), ` ${capital(name)}`)))),
    h('tbody', {}, ...told.map(([name, tell]) => h('tr', {}, h('th', { scope: 'row' }, name), ...players.map((side) => h('td', { class: 'number' }, tell(side)))))));
  const [one, other] = players.map(({ totals }) => totals);
  const sums = `${capital(game.sides[0])}: ${percent(initial)} at first, luck ${signed(one.luck - other.luck)}, moves ${signed(other.lost - one.lost)}, the analyser’s residual ${signed(residual)}, ${percent(last)} at the end.`;
  /** A side with its player, where the player is known. @param {number} side */
  const player = (side) => (players[side].player ? `${capital(game.sides[side])} (${named(game, { kind: 'agent', spec: players[side].player })})` : capital(game.sides[side]));
  const doubts = decisions.filter(({ unconfirmed }) => unconfirmed).length;
  fill(
    place,
    h('div', { class: 'table' },
      h('div', { class: 'board-side' }, view, panel.walker, panel.list),
      h('div', { class: 'panel' },
        h('p', { class: 'players' }, swatch(0), ` ${player(0)} – `, swatch(1), ` ${player(1)}: ${won(game, result)}.`),
        graph,
        table,
        ...assumed.map((text) => h('p', { class: 'note' }, `The record: ${text}`)),
        h('p', { class: 'soft' }, sums, h('br', {}), 'The residual is by how much the analyser changed its mind between positions; neither player earned it.'),
        worst.length > SHOWN && h('p', { class: 'soft' }, `The worst ${SHOWN} of ${worst.length} marked moves:`),
        doubts > 0 && h('p', { class: 'note' }, `There was no time to look again at ${doubts} marked ${doubts === 1 ? 'move' : 'moves'}. `, h('code', {}, 'wurfel review FILE'), ' has more time.'),
        worst.length > 0 && h('div', { class: 'actions', role: 'group', 'aria-label': 'The worst moves' }, ...worst.slice(0, SHOWN).map(({ n, side, move, mark, lost }) => h('button', { type: 'button', onclick: () => void panel.visit(places[n]) }, swatch(side), h('span', { class: 'unseen' }, game.sides[side]), ' ', h('span', { class: `mark ${mark}` }, MARKS[mark ?? '']), `${n + 1}. ${unsquared(move)} −${(100 * lost).toFixed(0)}`))),
        detail,
        panel.element,
        h('p', { class: 'soft meta' }, `Scored ${searched(analyser, depth)}, which the grades depend on. Points are hundredths of a game.`))),
  );
  void panel.visit(places[worst[0]?.n ?? 0]);
}
