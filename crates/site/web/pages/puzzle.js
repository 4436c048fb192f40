// Puzzles: positions in which one move is best by far. The values are exact.

import { game as find, get } from '../api.js';
import { board } from '../board.js';
import { dice } from '../dice.js';
import { capital, fill, h, percent } from '../dom.js';
import { moveTable } from '../scores.js';
import { spoken, squares } from '../moves.js';
import { analysis, dress, say } from './shared.js';

/** The numbers of the puzzles that were solved at the first try. @returns {number[]} */
const solved = (/** @type {string} */ game) => JSON.parse(localStorage.getItem(`solved:${game}`) ?? '[]');

/** @type {Page} */
export async function puzzle(main, [text = '1'], query) {
  const game = await find(query.get('game'));
  const number = Math.max(1, Math.floor(Number(text)) || 1);
  const puzzle = /** @type {Puzzle} */ (await get(`/api/puzzles/${game.name}/${number}`));
  const { scene, moves, difficulty } = puzzle;
  dress(main, game);
  const view = board();
  const rolled = dice();
  const verdict = h('p', { class: 'verdict', 'aria-live': 'polite' });
  const answer = h('div', {});
  const side = game.sides[scene.side];

  /** @param {Move | null} made */
  function show(made) {
    const best = moves[0];
    const marks = moves.map(({ move, value }) => {
      const found = squares(scene.board, move);
      return { from: found?.from ?? null, to: found?.to ?? null, value, best: move === best.move };
    });
    view.show(scene.board, {
      label: `Puzzle ${number}`, sides: game.sides,
      moves: made ? [] : scene.moves,
      play: ([move]) => rate(move),
      marks: made ? marks : [],
    });
  }

  /** @param {Move} made */
  function rate(made) {
    const best = moves[0];
    const right = made.text === best.move;
    const value = moves.find(({ move }) => move === made.text)?.value ?? 0;
    const list = solved(game.name);
    if (right && !list.includes(number)) localStorage.setItem(`solved:${game.name}`, JSON.stringify([...list, number].slice(-2000)));
    const words = right
      ? `Right: ${best.move} wins ${percent(best.value)}, every other move at most ${percent(moves[1].value)}.`
      : `${made.text} wins ${percent(value)}. The only good move is ${best.move} with ${percent(best.value)}.`;
    verdict.textContent = words;
    verdict.className = `verdict ${right ? 'right' : 'wrong'}`;
    fill(answer, moveTable(moves, scene.side, { made: made.text }));
    show(made);
    next.focus();
  }

  const next = h('a', { class: 'button primary', href: `/learn/puzzle/${number + 1}?game=${game.name}` }, 'Next puzzle');
  const stars = h('span', { role: 'img', class: 'stars', 'aria-label': `difficulty ${difficulty} of 4` }, '●'.repeat(difficulty) + '○'.repeat(4 - difficulty));
  fill(
    main,
    h('div', { class: 'table' },
      h('div', { class: 'board-side' }, view),
      h('div', { class: 'panel' },
        h('p', { class: 'soft eyebrow' }, `Puzzle ${number} `, stars),
        h('h1', {}, 'Find the only good move'),
        h('div', { class: 'roll' }, rolled, h('p', { class: 'status' }, `${capital(side)} has rolled ${spoken(scene.roll ?? '')}.`)),
        verdict, answer,
        h('div', { class: 'actions' }, next, number > 1 && h('a', { class: 'button', href: `/learn/puzzle/${number - 1}?game=${game.name}` }, 'Previous puzzle')),
        h('div', { class: 'actions minor' }, h('a', { class: 'button', href: analysis(game.name, scene.position) }, 'Analyse'), h('a', { class: 'button', href: `/learn?game=${game.name}` }, 'Rules')),
        h('p', { class: 'soft' }, `${solved(game.name).length} solved. All values are exact, found by a search to the end of the game.`))),
  );
  show(null);
  say(`Puzzle ${number}. ${capital(side)} has rolled ${spoken(scene.roll ?? '')}.`);
  void rolled.show(scene.roll, game.faces.map(({ roll }) => roll), String(number));
}
