// Puzzles: positions in which few moves are good, mostly a single one. Where a turn takes several moves, the
// whole turn is the answer, and only the position in which it ends counts. The values are exact, or they are
// the estimates of an agent that the page names.

import { game as find, get, scene as look } from '../api.js';
import { board, isAbove } from '../board.js';
import { dice } from '../dice.js';
import { capital, fill, h, percent, points } from '../dom.js';
import { sideOf, t } from '../language.js';
import { spoken, squares, unsquared } from '../moves.js';
import { whichMove } from '../promotion.js';
import { moveTable, turnTable } from '../scores.js';
import { storage } from '../storage.js';
import { GameTree } from '../tree.js';
import { TreePanel } from '../treepanel.js';
import { dress, say } from './shared.js';

/** How many of the best turns the answer shows, beside the one that was played. */
const SHOWN = 12;

/** The numbers of the puzzles that were solved at the first try. @returns {number[]} */
const solved = (/** @type {string} */ game) => storage.json(`solved:${game}`) ?? [];

/** @typedef {{ text: string, value: number }} Answer a move or a turn in words, with its value */

/**
 * What is said about an answer.
 * @param {Puzzle} puzzle
 * @param {Answer[]} answers the best first
 * @param {number} place the place of the answer that was given
 */
export function verdict({ right, analyser }, answers, place) {
  const [best, mine, next] = [answers[0], answers[place], answers[right]];
  const [move, value] = [mine.text, percent(mine.value)];
  if (place >= right) {
    const key = right > 1 ? 'answer.several' : analyser ? 'answer.best' : 'answer.only';
    const good = t(key, { right, best: best.text, value: percent(best.value) });
    return t('answer.wins', { move, value, points: points(best.value - mine.value), best: good });
  }
  const better = place > 0 ? t('answer.close', { best: best.text }) : '';
  return t(right > 1 ? 'answer.right.several' : 'answer.right', { move, value, next: percent(next.value) }) + better;
}

/** @type {Page} */
export async function puzzle(main, [text = '1'], query) {
  const game = await find(query.get('game'));
  const number = Math.max(1, Math.floor(Number(text)) || 1);
  const puzzle = /** @type {Puzzle} */ (await get(`/api/puzzles/${game.name}/${number}`));
  const { scene, moves, turns, difficulty, last, analyser, right } = puzzle;
  const answers = turns
    ? turns.map(({ moves, value }) => ({ text: moves.map(unsquared).join(' '), value }))
    : moves.map(({ move, value }) => ({ text: unsquared(move), value: Number(value) }));
  dress(main, game);
  const view = board();
  const rolled = dice();
  const faces = game.faces.map(({ roll }) => roll);
  const said = h('p', { class: 'verdict', 'aria-live': 'polite' });
  const answer = h('div', {});
  const count = h('span', {});
  const offers = h('div', { class: 'offers' });
  /** What the side to move has rolled. */
  const task = t('status.rolled', { side: capital(sideOf(game, scene.side)), roll: spoken(scene.roll ?? '') });
  const title = t('puzzle.label', { number: String(number) });
  let flipped = isAbove(game.start.board, scene.side);
  /** The puzzle, and everything that was tried. */
  const tree = new GameTree(scene);
  /** Whether the answer is shown. */
  let over = false;
  /** Whether the server is asked for the position after a move. */
  let waiting = false;
  /** Whether this is the first try, without a hint. */
  let first = true;
  /** Whether the piece to move is pointed at. */
  let hinted = false;

  const panel = new TreePanel({
    game: () => game, tree: () => tree, board: view, show, isFair: () => over,
    turn: () => {
      flipped = !flipped;
      show();
    },
  });

  function show() {
    const { current, current: { move }, root } = tree;
    const now = /** @type {Scene} */ (current.scene);
    count.textContent = t('puzzle.solved', { count: solved(game.name).length });
    const marks = moves.map(({ move, value }, place) => {
      const found = squares(scene.board, move);
      return { from: found?.from ?? null, to: found?.to ?? null, value, best: place < right };
    });
    view.show(now.board, {
      label: title, sides: game.sides, flipped,
      // A turn that has ended is an answer already.
      moves: over || now.side !== scene.side ? [] : now.moves,
      play: (possible) => (possible.length > 1 ? ask(possible) : void make(possible[0])),
      marks: over && current === root ? marks : [],
      last: move !== null ? squares(now.board, move) : hinted && !over ? clue() : null,
    });
    void rolled.show(scene.roll, faces, current === root ? String(number) : '', now.side === scene.side ? now.roll : turns ? '' : scene.roll);
    fill(offers,
      !over && current !== root && h('button', { type: 'button', onclick: back }, t('puzzle.again')),
      !over && !hinted && h('button', { type: 'button', onclick: hint }, t('puzzle.hint')));
    panel.show();
  }

  /** The square from which a good answer begins, as a move that stays there. @returns {Move | null} */
  function clue() {
    const found = squares(scene.board, turns ? turns[0].moves[0] : moves[0].move);
    return found && { ...found, to: found.from };
  }

  function hint() {
    [first, hinted] = [false, true];
    back();
    say(t('puzzle.hinted'));
  }

  /** Takes back the moves of the turn, which stay in the tree. */
  function back() {
    if (!waiting) void panel.visit(tree.root);
  }

  /** Asks for one of several moves between the same squares. @param {Move[]} possible */
  function ask(possible) {
    fill(offers, ...whichMove(possible, (text) => void make({ text })));
    offers.querySelector('button')?.focus();
  }

  /** @param {Pick<Move, 'text'>} made */
  async function make({ text }) {
    if (waiting) return;
    waiting = true;
    try {
      tree.add(await look(game.name, tree.current.position ?? '', text), text);
    } catch (error) {
      say(/** @type {Error} */ (error).message);
      return;
    } finally {
      waiting = false;
    }
    const now = /** @type {Scene} */ (tree.current.scene);
    show();
    if (!turns) rate(moves.findIndex(({ move }) => move === text));
    else if (now.roll && !now.result) say(t('puzzle.left', { move: text, roll: spoken(now.roll) }));
    else rate(turns.findIndex(({ end }) => end === now.at_rest));
  }

  /** @param {number} place the place of the answer that was given @param {boolean} [given] whether the reader gives up */
  function rate(place, given = false) {
    const isRight = place < right;
    const list = solved(game.name);
    if (isRight && first && !list.includes(number)) storage.set(`solved:${game.name}`, JSON.stringify([...list, number].slice(-2000)));
    said.className = `verdict ${isRight ? 'right' : 'wrong'}`;
    if (!isRight && !given) return retry(place);
    said.textContent = verdict(puzzle, answers, place);
    const shown = turns?.filter((_, n) => n < SHOWN || n === place);
    fill(answer, shown ? turnTable(shown, scene.side, { made: turns?.[place] }) : moveTable(moves, scene.side, { made: moves[place].move }));
    over = true;
    back();
    next.classList.add('primary');
    next.focus({ preventScroll: true });
  }

  /** Says that an answer was wrong, and lets the reader try again. @param {number} place */
  function retry(place) {
    first = false;
    said.textContent = t('puzzle.wrong', { move: answers[place].text, points: points(answers[0].value - answers[place].value) });
    const again = h('button', { type: 'button', class: 'primary', onclick: () => {
      said.textContent = '';
      back();
      view.enter();
    } }, t('error.again'));
    fill(offers, again, h('button', { type: 'button', onclick: () => rate(place, true) }, t('puzzle.show')));
    again.focus({ preventScroll: true });
  }

  const link = (/** @type {number} */ to, /** @type {string} */ words) =>
    h('a', { class: 'button', href: `/learn/puzzle/${to}?game=${game.name}` }, words);
  const next = last === null || number < last ? link(number + 1, t('puzzle.next')) : link(1, t('puzzle.first'));
  const stars = h('span', { role: 'img', class: 'stars', 'aria-label': t('puzzle.difficulty', { difficulty }) }, '●'.repeat(difficulty) + '○'.repeat(4 - difficulty));
  const origin = analyser
    ? t(turns ? 'puzzle.estimates.turn' : 'puzzle.estimates', { agent: analyser })
    : t('puzzle.exact');
  fill(
    main,
    h('div', { class: 'table' },
      h('div', { class: 'board-side' }, view, panel.walker),
      h('div', { class: 'panel' },
        h('p', { class: 'soft eyebrow' }, last === null ? title : t('puzzle.of', { number: String(number), last: String(last) }), ' ', stars),
        h('h1', {}, t(turns ? 'puzzle.turn' : analyser ? 'puzzle.best' : 'puzzle.only')),
        h('div', { class: 'roll' }, rolled, h('p', { class: 'status' }, task)),
        said, offers,
        h('div', { class: 'actions' }, next, number > 1 && link(number - 1, t('puzzle.previous'))),
        answer, panel.list, panel.element,
        h('div', { class: 'actions minor' }, h('a', { class: 'button', href: `/learn?game=${game.name}` }, t('play.rules'))),
        h('p', { class: 'soft' }, count, ' ', origin))),
  );
  show();
  say(`${title}. ${task}`);
  return () => panel.close();
}
