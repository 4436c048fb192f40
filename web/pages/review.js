// A finished or uploaded game: what each move lost, how lucky each throw was.

import { game as find, get, post, scene as look, site } from '../api.js';
import { board, isAbove } from '../board.js';
import { inline } from '../dice.js';
import { capital, fill, h, head, percent, s, select } from '../dom.js';
import { moveTable } from '../judged.js';
import { spoken, squares, unsquared } from '../moves.js';
import { analysis, dress, swatch } from './shared.js';

/** What marks are called. @type {Record<string, string>} */
const MARKS = { doubtful: 'doubtful', error: 'error', blunder: 'blunder' };

/** @type {Page} */
export async function review(main, [id], query) {
  const place = h('div', { class: 'reviewed' });
  if (id) {
    const record = /** @type {RoomRecord} */ (await get(`/api/rooms/${encodeURIComponent(id)}/record`));
    const moves = record.steps.map(({ roll, move, rest }) => (rest ? move : `@${roll} ${move}`));
    const text = [record.start, ...moves, record.end?.result ?? ''].join(' ').trim();
    fill(main, h('p', { class: 'soft eyebrow' }, h('a', { href: `/room/${id}` }, 'The game')), h('h1', {}, 'Review'), Boolean(record.taken_back?.length) && h('p', { class: 'note' }, 'A game with take-backs: what was taken back is not reviewed.'), place);
    void judge(place, await find(record.game), text);
    return;
  }
  const { games } = await site();
  let chosen = (await find(query.get('game'))).name;
  const text = h('textarea', { rows: 5, 'aria-label': 'The game as text', spellcheck: false, placeholder: 'ABC2/DE3/F3f/3ed/2cba r - 1 @4 a4b4 @1 e1d2 …' });
  const file = h('input', {
    type: 'file', 'aria-label': 'A file with a game',
    onchange: async () => {
      text.value = (await file.files?.[0]?.text()) ?? '';
    },
  });
  fill(
    main,
    h('div', { class: 'text-page' },
      h('h1', {}, 'Review'),
      h('p', { class: 'lead' }, 'A judge looks at every position of a game: what each move lost, how lucky each throw was, who played better.'),
      h('div', { class: 'options' },
        games.length > 1 && select('Game', games.map(({ name, title }) => ({ value: name, label: title })), chosen, (value) => {
          chosen = value;
        }),
        h('p', { class: 'soft' }, 'A list of throws and moves, the lines of JSON that ', h('code', {}, 'wurfel match --out'), ' writes, or a WTN record:'),
        text, file,
        h('div', { class: 'actions' }, h('button', { class: 'primary', type: 'button', onclick: async () => judge(place, await find(chosen), text.value) }, 'Review')))),
    place,
  );
}

/**
 * @param {HTMLElement} place
 * @param {Game} game
 * @param {string} text
 */
async function judge(place, game, text) {
  fill(place, h('p', { class: 'note', role: 'status' }, 'The judge looks at every position; this takes some seconds …'));
  try {
    show(place, game, await post('/api/review', { game: game.name, text }));
  } catch (error) {
    fill(place, h('p', { class: 'problem', role: 'alert' }, /** @type {Error} */ (error).message));
  }
}

/**
 * @param {HTMLElement} place
 * @param {Game} game
 * @param {Review} found
 */
function show(place, game, { judge, initial, decisions, totals }) {
  dress(place, game);
  const view = board();
  const detail = h('div', { class: 'results' });
  const flipped = isAbove(game.start.board, 0);
  /** The first side's value after each decision. */
  const values = [initial, ...decisions.map(({ side, after }) => (side === 0 ? after : 1 - after))];
  const graph = h('div', { class: 'graph' });
  const worst = decisions.map((decision, n) => ({ ...decision, n })).filter(({ mark }) => mark).sort((one, other) => other.lost - one.lost);

  async function go(/** @type {number} */ n) {
    const step = decisions[n];
    const { board: shown } = await look(game.name, step.position);
    const best = step.moves[0]?.move;
    const marks = step.moves.slice(0, 6).map(({ move, value }) => {
      const found = squares(shown, move);
      return { from: found?.from ?? null, to: found?.to ?? null, value, best: move === best };
    });
    view.show(shown, { label: `Before move ${n + 1}`, sides: game.sides, flipped, marks });
    draw(n);
    const luck = `${step.luck >= 0 ? '+' : '−'}${Math.abs(100 * step.luck).toFixed(1)}`;
    fill(
      detail,
      h('p', { class: 'status' }, `Move ${n + 1}: ${capital(game.sides[step.side])} throws `, inline(step.roll), ` and plays ${step.move}`, step.mark && h('span', { class: `mark ${step.mark}` }, MARKS[step.mark])),
      h('p', { class: 'soft' }, `The throw is worth ${luck} points, the move loses ${(100 * step.lost).toFixed(1)}.`),
      moveTable(step.moves, step.side, { made: step.move }),
      h('div', { class: 'actions' },
        h('button', { type: 'button', disabled: n === 0, onclick: () => void go(n - 1) }, 'Previous'),
        h('button', { type: 'button', disabled: n + 1 === decisions.length, onclick: () => void go(n + 1) }, 'Next'),
        h('a', { class: 'button', href: analysis(game.name, step.position) }, 'Analyse')),
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
      s('line', { x1: x(at + 1), x2: x(at + 1), y1: 0, y2: height, class: 'cursor' }),
      ...dots,
    );
    picture.addEventListener('click', (event) => {
      const box = picture.getBoundingClientRect();
      const n = Math.round((((/** @type {MouseEvent} */ (event).clientX - box.x) / box.width) * (width + 12) - 6) / width * (values.length - 1)) - 1;
      void go(Math.max(0, Math.min(decisions.length - 1, n)));
    });
    fill(graph, h('figure', {}, h('figcaption', {}, `Win probability of ${capital(game.sides[0])} after each move; press to go there.`), picture));
  }

  const signed = (/** @type {number} */ value) => `${value >= 0 ? '+' : '−'}${Math.abs(100 * value).toFixed(1)}`;
  const table = h('table', { class: 'standings' },
    h('caption', { class: 'unseen' }, 'Luck and skill of each side, in points of win probability'),
    head(['Side', '#Luck', '#Skill', '#Blunders', '#Lost a move', 'Grade']),
    h('tbody', {}, ...totals.map(({ luck, skill, blunders, error_rate: rate, grade }, side) =>
      h('tr', {}, h('th', { scope: 'row' }, swatch(side), ` ${capital(game.sides[side])}`), h('td', { class: 'number' }, signed(luck)), h('td', { class: 'number' }, signed(skill)), h('td', { class: 'number' }, String(blunders)), h('td', { class: 'number' }, rate === null ? '–' : percent(rate)), h('td', {}, grade ?? '–')))));
  fill(
    place,
    h('div', { class: 'table' },
      h('div', { class: 'board-side' }, view),
      h('div', { class: 'panel' },
        graph,
        h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Luck and skill' }, table),
        worst.length > 0 && h('div', { class: 'actions', role: 'group', 'aria-label': 'The worst moves' }, ...worst.slice(0, 6).map(({ n, move, mark, lost }) => h('button', { type: 'button', onclick: () => void go(n) }, h('span', { class: `mark ${mark}` }, MARKS[mark ?? '']), `${n + 1}. ${move} −${(100 * lost).toFixed(0)}`))),
        detail,
        h('p', { class: 'soft meta' }, `Judged by ${judge}. Points are hundredths of a game.`))),
  );
  if (decisions.length) void go(worst[0]?.n ?? 0);
}
