// The rules, and the way to the puzzles.

import { game as find, scene as look, site } from '../api.js';
import { board } from '../board.js';
import { inline } from '../dice.js';
import { fill, h, select } from '../dom.js';
import { rules as chess } from '../rules/dicechess.js';
import { rules as einstein } from '../rules/einstein.js';
import { puzzle } from './puzzle.js';
import { analysis, go } from './shared.js';

/** The rules of the games whose names begin so. @type {Record<string, Rules>} */
const RULES = { einstein, dicechess: chess };

/** @type {Page} */
export async function learn(main, rest, query) {
  if (rest[0] === 'puzzle') return puzzle(main, rest.slice(1), query);
  const { games } = await site();
  const game = await find(query.get('game'));
  const told = Object.entries(RULES).find(([name]) => game.name.startsWith(name))?.[1] ?? [];
  const parts = await Promise.all(
    told.map(async ({ title, text, position }, place) => {
      const scene = position ? await look(game.name, position) : place === 0 ? game.start : null;
      const picture = board();
      if (scene) {
        const marks = scene.moves.map(({ from, to }) => ({ from, to, value: null, best: true }));
        picture.show(scene.board, { label: `Example: ${title}`, sides: game.sides, marks });
      }
      return h(
        'section',
        { class: 'rule' },
        scene && h('div', { class: 'picture' }, picture),
        h('div', {}, h('h2', {}, title), h('p', {}, text), scene && scene.roll && h('p', { class: 'soft' }, 'Thrown: ', inline(scene.roll), ' ', h('a', { href: analysis(game.name, scene.position) }, 'analyse this position'))),
      );
    }),
  );
  fill(
    main,
    h(
      'div',
      { class: 'text-page' },
      h('h1', {}, 'Learn'),
      games.length > 1 && select('Game', games.map(({ name, title }) => ({ value: name, label: `${title} (${name})` })), game.name, (value) => go(`/learn?game=${value}`)),
      h('p', { class: 'lead' }, `${game.title} is quickly learned and hard to play well: the dice give chances, the moves use them.`),
      h('p', {}, h('a', { class: 'button primary', href: `/learn/puzzle/1?game=${game.name}` }, 'Solve puzzles')),
      ...parts,
    ),
  );
}
