// A finished or uploaded game: what each move lost, how lucky each roll was.

import { game as find, get, post, scene as look, site } from '../api.js';
import { board, isAbove } from '../board.js';
import { inline } from '../dice.js';
import { capital, fill, h, percent, points, s, select, signed } from '../dom.js';
import { called, decimals, parts, sideOf, t, titleOf } from '../language.js';
import { plays, squares, unsquared } from '../moves.js';
import { listed } from '../recognise.js';
import { moveTable } from '../scores.js';
import { GameTree, path } from '../tree.js';
import { TreePanel } from '../treepanel.js';
import { dress, named, swatch } from './shared.js';

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
    fill(main, h('p', { class: 'soft eyebrow' }, h('a', { href: `/room/${id}` }, t('review.game'))), h('h1', {}, t('nav.review')), Boolean(record.taken_back?.length) && h('p', { class: 'note' }, t('review.backs')), place);
    void open(place, JSON.stringify(record), '');
    return () => halt();
  }
  const { games } = await site();
  let chosen = query.get('game') ?? '';
  const text = h('textarea', { rows: 5, 'aria-label': t('review.text'), spellcheck: false, placeholder: 'ABC2/DE3/F3f/3ed/2cba r - 1 @4 a4b4 @1 e1d2 …' });
  /** The content of the chosen file, if it is too long for the box. */
  let uploaded = '';
  const long = h('div', { class: 'offers' });
  const box = (/** @type {string} */ content, name = '') => {
    uploaded = content.length > MAX_SHOWN ? content : '';
    text.value = uploaded ? '' : content;
    text.hidden = uploaded !== '';
    fill(long, uploaded && h('span', {}, t('review.long', { name, count: uploaded.length })), uploaded && h('button', { type: 'button', onclick: () => {
      file.value = '';
      box('');
      text.focus();
    } }, t('review.remove')));
  };
  const problem = h('p', { class: 'problem', role: 'alert' });
  const file = h('input', {
    type: 'file', 'aria-label': t('review.file'),
    onchange: async () => {
      const found = file.files?.[0];
      if (!found) return;
      problem.textContent = found.size > MOST ? t('review.size', { size: found.size, most: MOST }) : '';
      if (found.size <= MOST) box(decoded(await found.arrayBuffer()), found.name);
    },
  });
  const said = [{ value: '', label: t('review.found') }, ...games.map((game) => ({ value: game.name, label: titleOf(game) }))];
  fill(
    main,
    h('div', { class: 'text-page' },
      h('h1', {}, t('nav.review')),
      h('p', { class: 'lead' }, t('review.lead')),
      h('div', { class: 'options' },
        select(t('field.game'), said, chosen, (value) => {
          chosen = value;
        }),
        h('p', { class: 'soft' }, ...parts('review.paste', { match: h('code', {}, 'wurfel match'), play: h('code', {}, 'wurfel play') })),
        text, long, file, problem,
        h('div', { class: 'actions' }, h('button', { class: 'primary', type: 'button', onclick: () => open(place, uploaded || text.value, chosen) }, t('review.start'))))),
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
  fill(place, h('p', { class: 'note', role: 'status' }, t('review.reading')));
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
      }, 'aria-pressed': 'false' }, h('b', {}, `${number}.`), ` ${players[0]} – ${players[1]} `, h('span', { class: 'soft' }, [result, t('turns.count', { count: plies })].join(t('list.separator'))));
      return h('li', {}, button);
    }));
    shown += next.length;
    fill(further, shown < games.length && h('button', { type: 'button', onclick: grow }, t('review.more', { shown, count: games.length })));
  };
  grow();
  return h('section', { class: 'archive' }, h('h2', {}, t(more ? 'review.which.more' : 'review.which', { count: games.length, game: titleOf(game) })), list, further);
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
  const { see, end } = waiting(place);
  try {
    await show(place, game, await post('/api/review', { game: game.name, ...only(text, number) }, see), record);
    place.scrollIntoView({ block: 'nearest' });
  } catch (error) {
    fill(place, h('p', { class: 'problem', role: 'alert' }, /** @type {Error} */ (error).message));
  } finally {
    end();
  }
}

/**
 * Shows how far a review is: this device counts positions; a server does not, and the time is shown.
 * @param {HTMLElement} place
 */
function waiting(place) {
  const bar = h('progress', { max: MAX_SECONDS, value: 0, 'aria-label': t('review.time') });
  const words = h('p', { class: 'note' }, t('review.waiting', { seconds: MAX_SECONDS }));
  fill(place, h('div', { role: 'status' }, words), bar);
  const began = performance.now();
  const timer = setInterval(() => {
    const seconds = (performance.now() - began) / 1000;
    if (seconds < MAX_SECONDS) bar.value = seconds;
    else if (bar.hasAttribute('value')) {
      bar.removeAttribute('value');
      words.textContent = t('review.still');
    }
  }, 250);
  const end = () => clearInterval(timer);
  return {
    end,
    /** @param {{ again: boolean, done: number, all: number }} progress */
    see({ again, done, all }) {
      end();
      bar.ariaLabel = t('review.progress');
      [bar.max, bar.value] = [all, done];
      words.textContent = t(again ? 'review.recheck' : 'review.position', { done, all });
    },
  };
}

/** How many turns a search looks ahead. @param {[number, number]} depth */
const searched = ([least, most]) => (least === most ? t('turns.count', { count: most }) : t('turns.range', { least, count: most }));

/** Who has won, in words. @param {Game} game @param {string} result */
function outcome(game, result) {
  if (result === '1/2-1/2') return t('outcome.draw');
  return result === '1-0' || result === '0-1' ? t('outcome.won', { side: capital(sideOf(game, result === '1-0' ? 0 : 1)) }) : t('outcome.open');
}

/** How bad a move was; nothing for a good one. @param {Mark | null} mark */
const judgement = (mark) => (mark ? h('span', { class: `mark ${mark}` }, t(`mark.${mark}`)) : '');

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
    h('p', { class: 'soft' }, ...parts(mark && best.move !== move ? 'review.best' : 'review.judged', {
      number: String(number), side: capital(sideOf(game, side)), does: plays(move), points: points(lost), mark: judgement(mark), best: unsquared(best.move),
    }));

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
    view.show(shown, { label: t('review.after', { count: path(at).filter(({ move }) => move !== null).length }), sides: game.sides, flipped, marks, last: at.move === null ? null : squares(shown, at.move) });
    if (n >= 0) draw(n);
    fill(
      detail,
      n > 0 && judged(decisions[n - 1], n),
      step && h('p', { class: 'status' }, ...parts(step.rest ? 'review.goes' : 'review.move', {
        number: String(n + 1), side: capital(sideOf(game, step.side)), roll: inline(step.roll), does: plays(step.move), mark: judgement(step.mark),
      })),
      step && h('p', { class: 'soft' }, t(step.rest ? 'review.lost' : 'review.luck', { luck: signed(100 * step.luck), lost: points(step.lost) }),
        step.unconfirmed && t('review.unconfirmed'),
        step.again > 0 && step.again < step.moves.length && t('review.again', { count: step.again })),
      step && moveTable(step.moves, step.side, { made: step.move, alike }),
      n < 0 && h('p', { class: 'note' }, t('review.variation')),
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
      { viewBox: `-6 -6 ${width + 12} ${height + 12}`, role: 'img', 'aria-label': t('review.graph', { side: sideOf(game, 0) }) },
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
    fill(graph, h('figure', {}, h('figcaption', {}, t('review.graph.press', { side: capital(sideOf(game, 0)) })), picture));
  }

  /** The rows of the table of both sides. @type {[string, (side: Review['players'][number]) => string][]} */
  const told = [
    [t('score.luck'), ({ totals }) => signed(100 * totals.luck)],
    [t('score.lost'), ({ totals }) => points(totals.lost)],
    [t('score.doubtful'), ({ totals }) => String(totals.doubtful)],
    [t('score.errors'), ({ totals }) => String(totals.errors)],
    [t('score.blunders'), ({ totals }) => String(totals.blunders)],
    [t('score.rate'), ({ error_rate: rate }) => percent(rate)],
    [depth ? t('score.grade', { turns: t('turns.count', { count: depth[0] }) }) : t('score.grade.exact'), ({ grade }) => (grade === null ? '–' : called(`grade.${grade}`, grade))],
  ];
  const table = h('table', { class: 'standings' },
    h('caption', { class: 'unseen' }, t('score.caption')),
    h('thead', {}, h('tr', {}, h('td', {}), ...game.sides.map((_, side) => h('th', { scope: 'col', class: 'number' }, swatch(side), ` ${capital(sideOf(game, side))}`)))),
    h('tbody', {}, ...told.map(([name, tell]) => h('tr', {}, h('th', { scope: 'row' }, name), ...players.map((side) => h('td', { class: 'number' }, tell(side)))))));
  const [one, other] = players.map(({ totals }) => totals);
  const sums = t('review.sums', {
    side: capital(sideOf(game, 0)), initial: percent(initial), luck: signed(100 * (one.luck - other.luck)), moves: signed(100 * (other.lost - one.lost)),
    residual: signed(100 * residual), final: percent(last),
  });
  /** A side with its player, where the player is known. @param {number} side */
  const player = (side) => {
    const { player: spec } = players[side];
    return h('span', {}, swatch(side), ` ${capital(sideOf(game, side))}`, spec && ` (${named(game, { kind: 'agent', spec })})`);
  };
  const doubts = decisions.filter(({ unconfirmed }) => unconfirmed).length;
  fill(
    place,
    h('div', { class: 'table' },
      h('div', { class: 'board-side' }, view, panel.walker, panel.list),
      h('div', { class: 'panel' },
        h('p', { class: 'players' }, ...parts('review.outcome', { first: player(0), second: player(1), outcome: outcome(game, result) })),
        graph,
        table,
        ...assumed.map((text) => h('p', { class: 'note' }, t('review.record', { text }))),
        h('p', { class: 'soft' }, sums, h('br', {}), t('review.residual')),
        worst.length > SHOWN && h('p', { class: 'soft' }, t('review.worst', { shown: SHOWN, count: worst.length })),
        doubts > 0 && h('p', { class: 'note' }, ...parts('review.doubts', { count: decimals(doubts, 0), command: h('code', {}, 'wurfel review FILE') }, doubts)),
        worst.length > 0 && h('div', { class: 'actions', role: 'group', 'aria-label': t('review.marked') }, ...worst.slice(0, SHOWN).map(({ n, side, move, mark, lost }) => h('button', { type: 'button', onclick: () => void panel.visit(places[n]) }, swatch(side), h('span', { class: 'unseen' }, sideOf(game, side)), ' ', judgement(mark), `${n + 1}. ${unsquared(move)} −${decimals(100 * lost, 0)}`))),
        detail,
        panel.element,
        h('p', { class: 'soft meta' }, depth ? t('review.searched', { agent: analyser, turns: searched(depth) }) : t('review.exact', { agent: analyser })))),
  );
  void panel.visit(places[worst[0]?.n ?? 0]);
}
