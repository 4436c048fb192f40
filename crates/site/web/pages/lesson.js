// The first lesson: three moves that the reader makes, and then a game against the gentlest level.

import { game as find, scene as look } from '../api.js';
import { board, isAbove } from '../board.js';
import { dice } from '../dice.js';
import { fill, h } from '../dom.js';
import { t, titleOf } from '../language.js';
import { spoken } from '../moves.js';
import { myself } from '../person.js';
import { lesson } from '../rules/lessons.js';
import { open } from './play.js';
import { dress, say } from './shared.js';

/** The shortest time for a move of the opponent in the first game, in milliseconds. */
const PACE_MS = 900;

/** @type {Page} */
export async function first(main, _rest, query) {
  const game = await find(query.get('game'));
  const tasks = lesson(game.name);
  if (!tasks.length) throw new Error(t('lesson.none', { game: titleOf(game) }));
  const scenes = await Promise.all(tasks.map(({ position }) => look(game.name, position)));
  const faces = game.faces.map(({ roll }) => roll);
  const view = board();
  const rolled = dice();
  const step = h('p', { class: 'soft eyebrow' });
  const words = h('p', { class: 'lead' });
  const said = h('p', { class: 'verdict right' });
  const offers = h('div', { class: 'actions' });
  const problem = h('p', { class: 'problem', role: 'alert' });

  /** Shows a task. @param {number} number */
  function show(number) {
    const { text } = tasks[number];
    step.textContent = t('lesson.step', { number: number + 1, last: tasks.length });
    words.textContent = text;
    said.textContent = '';
    fill(offers);
    draw(scenes[number], number);
    void rolled.show(scenes[number].roll, faces, `lesson ${number}`);
    say(t('lesson.say', { step: step.textContent, roll: spoken(scenes[number].roll ?? ''), text }));
  }

  /** Shows a position of a task, in which its moves can be made. @param {Scene} scene @param {number} number @param {Move | null} [last] */
  function draw(scene, number, last = null) {
    const { fits } = tasks[number];
    view.show(scene.board, {
      label: t('lesson.board', { number: number + 1 }), sides: game.sides, flipped: isAbove(game.start.board, 0), last,
      moves: scene.moves.filter(fits),
      eager: true,
      play: ([move]) => void make(scene, number, move),
      refuse: () => {
        said.textContent = '';
        problem.textContent = scene.moves.some(fits) ? t('lesson.refusal') : '';
      },
    });
  }

  /** @param {Scene} before @param {number} number @param {Move} move */
  async function make(before, number, move) {
    problem.textContent = '';
    try {
      const scene = await look(game.name, before.position, move.text);
      draw(scene, number, move);
      const more = scene.roll && !scene.result && scene.side === before.side;
      if (more) return void rolled.show(scenes[number].roll, faces, '', scene.roll);
      view.show(scene.board, { label: t('lesson.after', { number: number + 1 }), sides: game.sides, flipped: isAbove(game.start.board, 0), last: move });
      said.textContent = tasks[number].done;
      say(tasks[number].done);
      const button = number + 1 < tasks.length
        ? h('button', { type: 'button', class: 'primary', onclick: () => show(number + 1) }, t('lesson.on'))
        : h('button', { type: 'button', class: 'primary', onclick: () => void play() }, t('lesson.play'));
      fill(offers, button);
      button.focus({ preventScroll: true });
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  }

  /** Begins a game against the gentlest level. */
  async function play() {
    fill(offers);
    const spec = game.levels[0]?.spec ?? 'random';
    const setups = game.setup ? { setups: ['book', 'book'] } : {};
    try {
      await open({ game: game.name, players: [myself(), { kind: 'agent', spec }], ...setups, typed_dice: false, clock: null, pace_ms: PACE_MS });
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  }

  dress(main, game);
  fill(main, h('div', { class: 'table first lesson' },
    h('section', { class: 'intro' }, h('h1', { class: 'unseen' }, t('lesson.title', { game: titleOf(game) })), step, h('div', { class: 'roll' }, rolled, words)),
    h('div', { class: 'board-side' }, view),
    h('div', { class: 'panel' }, said, problem, offers,
      h('div', { class: 'actions minor' }, h('a', { class: 'button', href: `/learn?game=${game.name}` }, t('room.rules')), h('a', { class: 'button', href: `/?game=${game.name}` }, t('nav.play'))))));
  show(0);
}
