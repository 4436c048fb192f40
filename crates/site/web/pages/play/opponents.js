// The choice of the opponent: a level, another agent, or the two agents of a game between them.

import { feeling, rank } from '../../brief.js';
import { capital, fill, h, select } from '../../dom.js';
import { called, sideOf, t } from '../../language.js';

/** @typedef {import('./choice.js').Choice} Choice */
/** @typedef {{ value: string, label: string }[]} Named agents to choose from */

/** All agents of a site, and the external engines that it offers. @param {Site} site @param {Game} game @returns {Named} */
const named = ({ agents }, { engines }) => [
  ...engines.map((name) => ({ value: name, label: `${name} – ${t('level.program')}` })),
  ...agents.map(({ name, about }) => ({ value: name, label: `${name} – ${called(`agent.${name}`, about)}` })),
];

/** The opponent of one person. @param {Choice} choice @param {Game} game @param {Site} site */
export function opponent(choice, game, site) {
  if (game.levels.length) return levels(choice, game, named(site, game));
  return [select(t('level.agent'), named(site, game), choice.other, (value) => {
    choice.other = value;
  })];
}

/** @param {Choice} choice @param {Game} game @param {Named} agents */
function levels(choice, game, agents) {
  const output = h('output', { class: 'level-name' });
  const tell = () => {
    const level = game.levels[choice.level - 1];
    fill(output, ...(choice.other ? [h('b', {}, choice.other), h('span', { class: 'soft' }, ` ${t('level.another')}`)] : levelWords(choice, game)));
    slider.setAttribute('aria-valuetext', choice.other ? t('level.none', { agent: choice.other }) : `${feeling(level)}, Elo ${level.elo}`);
  };
  const slider = h('input', {
    type: 'range', min: '1', max: String(game.levels.length), step: '1', value: String(choice.level), 'aria-label': t('level.label'),
    oninput: () => {
      choice.level = Number(slider.value);
      choice.other = '';
      others.value = '';
      tell();
    },
  });
  const field = select(t('level.agent'), [{ value: '', label: t('level.above') }, ...agents], choice.other, (value) => {
    choice.other = value;
    tell();
  });
  const others = /** @type {HTMLSelectElement} */ (field.querySelector('select'));
  tell();
  return [h('div', { class: 'level' }, output, slider), h('details', { open: choice.other !== '' }, h('summary', {}, t('level.other')), field)];
}

/** The chosen level. @param {Choice} choice @param {Game} game */
function levelWords({ level }, { levels }) {
  const chosen = levels[level - 1];
  const { name, elo, within } = chosen;
  return [h('b', {}, feeling(chosen)), h('span', { class: 'soft' }, ` ${rank(name)}, Elo ${elo}${within ? ` ± ${within}` : ''}`), h('span', { class: 'soft of' }, t('level.of', { level, count: levels.length }))];
}

/** The agents of a game between two of them. @param {Choice} choice @param {Game} game @param {Site} site */
export function bothAgents(choice, game, site) {
  const levels = game.levels.map(({ name, spec, elo }) => ({ value: spec, label: `${rank(name)}, Elo ${elo}` }));
  const all = [...levels, ...named(site, game).filter(({ value }) => !levels.some((level) => level.value === value))];
  choice.agents = choice.agents.map((spec) => (all.some(({ value }) => value === spec) ? spec : site.agent));
  return [0, 1].map((side) =>
    select(capital(sideOf(game, side)), all, choice.agents[side], (value) => {
      choice.agents[side] = value;
    }),
  );
}
