// Games on this server, and tournaments, matches and training runs in its folder of runs.

import { game as find, get, scene as look, site } from '../api.js';
import { board, isAbove } from '../board.js';
import { inline } from '../dice.js';
import { capital, fill, h, head, percent, points, redraw, signed } from '../dom.js';
import { called, decimals, language, sideOf, t, titleOf } from '../language.js';
import { moveCount, squares, unsquared } from '../moves.js';
import { GameTree } from '../tree.js';
import { TreePanel } from '../treepanel.js';
import { named, sentence } from './shared.js';
import { Boards } from './watch/boards.js';
import { training } from './training.js';

/** The time between updates of a file that is still being written. */
const AGAIN = 3000;

/** @type {Page} */
export async function watch(main, [name]) {
  if (name) return run(main, name);
  const { games } = await site();
  const rooms = h('ul', { class: 'cards' });
  const runs = h('ul', { class: 'cards' });
  const boards = new Boards(games);
  /** Who plays, and how it ended. @param {Listed} room */
  const words = ({ game, players, result }) => {
    const known = games.find(({ name }) => name === game);
    const sides = known && players.length ? players.map((player, side) => t('watch.side', { side: capital(sideOf(known, side)), player: named(known, player) })).join(t('list.separator')) : '';
    return [known ? titleOf(known) : game, sides, result === '*' ? t('watch.aborted') : result];
  };
  const when = (/** @type {number} */ seconds) => new Date(1000 * seconds).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });

  async function load() {
    const [last, files] = await Promise.all([/** @type {Promise<Listed[]>} */ (get('/api/rooms')), /** @type {Promise<string[]>} */ (get('/api/runs'))]);
    void boards.show(last.filter(({ over }) => !over));
    fill(rooms, ...last.map((room) => {
      const { id, over, taken_back, changed } = room;
      const [title, sides, result] = words(room);
      return h('li', {},
        h('span', {}, h('a', { href: `/room/${id}` }, title), sides && h('span', { class: 'soft' }, ` ${sides}`)),
        h('span', { class: 'soft' }, h('b', { class: over ? '' : 'going' }, over ? result : t('watch.progress')), ' ', taken_back ? t('watch.backs', { when: when(changed) }) : when(changed)));
    }));
    fill(runs, ...files.map((file) => h('li', {}, h('a', { href: `/watch/${encodeURIComponent(file)}` }, file))));
    if (!last.length) fill(rooms, h('li', { class: 'soft' }, t('watch.nobody')));
    if (!files.length) fill(runs, h('li', { class: 'soft' }, h('span', {}, t('watch.none'))));
  }

  await load();
  const timer = setInterval(() => void load().catch(() => {}), AGAIN);
  fill(main, h('div', { class: 'text-page' }, h('h1', {}, t('nav.watch')), h('p', { class: 'lead' }, t('watch.lead')),
    h('p', {}, h('a', { class: 'button primary', href: '/?mode=agents' }, t('watch.play'))),
    boards.element, h('h2', {}, t('watch.games')), rooms, h('h2', {}, t('watch.runs')), runs));
  return () => clearInterval(timer);
}

/** A tournament or a match, read again while it grows. @param {HTMLElement} main @param {string} name */
async function run(main, name) {
  const place = h('div', {});
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  let before = '';
  /** The game that is shown. It stays while the run goes on. @type {Replay} */
  const shown = { viewer: h('div', {}), close: () => {} };
  async function load() {
    const found = /** @type {Run} */ (await get(`/api/runs/${encodeURIComponent(name)}`));
    const text = JSON.stringify(found);
    if (text === before) return;
    before = text;
    const drawing = await drawn(found, shown);
    redraw(place, () => fill(place, ...drawing));
    if (isOver(found)) clearInterval(timer);
  }
  await load().catch((error) => {
    if (error.status === 404) throw new Error(t('watch.missing'));
    // Nothing can be made of a file before its first lines are complete.
    if (error.status !== 422) throw error;
    fill(place, h('p', { class: 'lead' }, t('watch.nothing')), h('p', { class: 'soft' }, sentence(error.message)));
  });
  timer = setInterval(() => void load().catch(() => {}), AGAIN);
  fill(main, h('div', { class: 'text-page wide' }, h('p', { class: 'soft eyebrow' }, h('a', { href: '/watch' }, t('nav.watch'))), h('h1', {}, name), place));
  return () => {
    clearInterval(timer);
    shown.close();
  };
}

/** @typedef {{ viewer: HTMLElement, close: () => void }} Replay where a game is shown, and what ends that */

/** @param {Run} run @param {Replay} shown the game of a match that is shown */
async function drawn(run, shown) {
  if (run.kind === 'tournament') return standings(run);
  return run.kind === 'match' ? match(run, shown) : training(run);
}

/** Whether a run is complete. @param {Run} run */
function isOver(run) {
  if (run.kind === 'tournament') return run.complete;
  return run.kind === 'match' ? run.played >= run.wanted : run.wanted !== null && run.done >= run.wanted;
}

/** @param {Extract<Run, { kind: 'tournament' }>} run */
function standings({ standings: list, complete, title, format }) {
  const cell = (/** @type {number | null} */ rate) => {
    const field = h('td', { class: 'number heat' }, rate === null ? '–' : decimals(100 * rate, 0));
    if (rate !== null) field.style.setProperty('--rate', String(rate));
    return field;
  };
  return [
    h('p', { class: 'lead' }, title && `${title}. `, t(complete ? 'cup.over' : 'cup.running', { format: called(`format.${format}`, format) })),
    h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('cup.standings') },
      h('table', { class: 'standings' },
        head([`#${t('column.place')}`, t('column.agent'), `#${t('column.rate')}`, `#${t('column.games')}`, `#${t('column.faults')}`, ...list.map((_, n) => `#${n + 1}`)]),
        h('tbody', {}, ...list.map(({ agent, spec, rank, rate, low, games, faults, against }) =>
          h('tr', {}, h('td', { class: 'number soft' }, String(rank)), h('th', { scope: 'row', title: spec }, agent), h('td', { class: 'number' }, `${percent(rate)} ± ${points(rate - low)}`), h('td', { class: 'number' }, String(games)), h('td', { class: 'number' }, String(faults)), ...against.map(cell)))))),
    list.some(({ faults }) => faults > 0) && h('p', { class: 'soft' }, t('cup.faults')),
  ];
}

/** @param {Extract<Run, { kind: 'match' }>} run @param {Replay} shown */
async function match({ agents, game: name, played, wanted, score, rate, low, high, elo, games }, shown) {
  const game = await find(name);
  const sign = { '1-0': 0, '0-1': 1 };
  const winner = (/** @type {GameRecord} */ { result, first }) => {
    const side = sign[/** @type {'1-0' | '0-1'} */ (result)];
    return side === undefined ? t('match.draw') : agents[side === 0 ? first : 1 - first];
  };
  const bar = h('div', { class: 'tally', 'aria-hidden': 'true' }, ...score.map((count, n) => {
    const part = h('span', { class: `tally${n}` });
    part.style.setProperty('--count', String(count));
    return part;
  }));
  const faulty = games.filter(({ fault }) => fault).slice(-MAX_FAULTS).reverse();
  return [
    h('p', { class: 'lead' }, t('match.lead', { first: agents[0], second: agents[1], played, wanted })),
    h('p', { class: 'verdict' }, h('b', {}, `${score[0]} : ${score[2]}`), h('span', { class: 'soft' }, `${score[1] ? t('match.drawn', { count: score[1] }) : ''} – ${t('match.range', { value: percent(rate), low: points(low), high: points(high) })}${elo[0] === null ? '' : `, Elo ${signed(elo[0], 0)}`}`)),
    bar,
    shown.viewer,
    ...(faulty.length ? [h('h2', {}, t('match.faults')), h('ul', {}, ...faulty.map((record) => h('li', {}, `${record.pair + 1}.${record.game + 1}: ${failed(agents, record)}`)))] : []),
    h('h2', {}, t('match.last')),
    h('ul', { class: 'chips' }, ...games.slice(-60).reverse().map((record) =>
      h('li', {}, h('button', { type: 'button', onclick: () => void replay(game, record, shown) }, h('b', {}, `${record.pair + 1}.${record.game + 1}`), h('span', { class: 'soft' }, [winner(record), moveCount(record.plies), record.fault && t(`fault.${record.fault[1]}`)].filter(Boolean).join(t('list.separator'))))))),
  ];
}

/** How many of the games that were lost by a fault are listed. */
const MAX_FAULTS = 10;

/** Who failed, and how. @param {[string, string]} agents @param {GameRecord} record */
function failed(agents, { fault, reason }) {
  if (!fault) return '';
  return `${agents[fault[0]]}, ${t(`fault.${fault[1]}`)}${reason ? `: ${reason}` : ''}`;
}

/**
 * Shows a game step by step.
 * @param {Game} game
 * @param {GameRecord} record
 * @param {Replay} shown where it is shown
 */
async function replay(game, record, shown) {
  const view = board();
  const words = h('p', { class: 'status', 'aria-live': 'polite' });
  let flipped = isAbove(game.start.board, 0);
  const tree = new GameTree(await look(game.name, record.start));
  tree.grow(record);
  /** @param {import('../tree.js').Place} at */
  const show = (at) => {
    const { board: squared } = /** @type {Scene} */ (at.scene);
    const line = tree.line();
    const number = line.indexOf(at);
    view.show(squared, { label: t('replay.move', { number }), sides: game.sides, flipped, last: at.move === null ? null : squares(squared, at.move) });
    fill(words, t('replay.of', { number, last: line.length - 1 }), at.move === null ? '' : ': ', at.roll ? inline(at.roll) : '', at.move === null ? '' : ` ${unsquared(at.move)}`);
  };
  const panel = new TreePanel({
    game: () => game, tree: () => tree, board: view, show,
    turn: () => {
      flipped = !flipped;
      show(tree.current);
    },
  });
  shown.close();
  shown.close = () => panel.close();
  fill(shown.viewer, h('div', { class: 'replay' }, view, words, panel.walker, panel.list, panel.element));
  await panel.visit(tree.root);
}
