// The rules, and the way to the puzzles.

import { game as find, scene as look, site } from '../api.js';
import { board, isAbove } from '../board.js';
import { brief } from '../brief.js';
import { inline } from '../dice.js';
import { fill, h, select } from '../dom.js';
import { t, titleOf } from '../language.js';
import { rules as chess } from '../rules/dicechess.js';
import { rules as einstein } from '../rules/einstein.js';
import { first } from './lesson.js';
import { puzzle } from './puzzle.js';
import { analysis, dress, go } from './shared.js';

/** The rules of games, by the beginning of their names. @type {Record<string, (name: string) => Rules>} */
const RULES = { einstein, dicechess: chess };

/** @type {Page} */
export async function learn(main, rest, query) {
  if (rest[0] === 'puzzle') return puzzle(main, rest.slice(1), query);
  if (rest[0] === 'first') return first(main, rest.slice(1), query);
  const { games } = await site();
  const game = await find(query.get('game'));
  dress(main, game);
  const told = Object.entries(RULES).find(([name]) => game.name.startsWith(name))?.[1](game.name) ?? [];
  const parts = await Promise.all(
    told.map(async ({ title, text, position }) => {
      /** Why there is no picture, if it could not be loaded. */
      let missing = '';
      const scene = position ? await look(game.name, position).catch((/** @type {Error} */ error) => {
        missing = error.message;
        return null;
      }) : null;
      const picture = board();
      if (scene) {
        const marks = scene.moves.map(({ from, to }) => ({ from, to, value: null, best: true }));
        picture.show(scene.board, { label: t('learn.example', { title }), sides: game.sides, flipped: isAbove(game.start.board, 0), marks });
      }
      return h(
        'section',
        { class: 'rule' },
        scene && h('div', { class: 'picture' }, picture),
        h('div', {}, h('h2', {}, title), h('p', {}, text), missing && h('p', { class: 'problem' }, t('learn.missing', { error: missing })), scene && h('p', { class: 'soft' }, scene.roll && t('learn.rolled'), scene.roll && inline(scene.roll), ' ', h('a', { href: analysis(game.name, scene.position), 'aria-label': t('learn.analyse.of', { title }) }, t('learn.analyse')))),
      );
    }),
  );
  fill(
    main,
    h(
      'div',
      { class: 'text-page' },
      h('h1', {}, t('nav.learn')),
      games.length > 1 && select(t('field.game'), games.map((known) => ({ value: known.name, label: titleOf(known) })), game.name, (value) => go(`/learn?game=${value}`)),
      h('p', { class: 'lead' }, brief(game).aim, ' ', brief(game).differs ?? ''),
      h('div', { class: 'actions' },
        h('a', { class: 'button primary', href: `/learn/first?game=${game.name}` }, t('learn.first')),
        game.puzzles && h('a', { class: 'button', href: `/learn/puzzle/1?game=${game.name}` }, t('learn.puzzles')),
        h('a', { class: 'button', href: `/?game=${game.name}` }, t('nav.play')),
        h('a', { class: 'button', href: '/dice' }, t('learn.dice'))),
      ...parts,
    ),
  );
}
