// The fields of the first page, in which a game is chosen.

import { alone } from '../../device.js';
import { capital, choose, fill, h, select } from '../../dom.js';
import { sideOf, t, titleOf } from '../../language.js';
import { go, swatch } from '../shared.js';
import { apart, keep } from './choice.js';
import { bothAgents, opponent } from './opponents.js';

/** The time controls: minutes for the game and seconds for each move. */
const CLOCKS = ['0', '1', '3', '3+2', '5', '5+3', '15', '15+10'];

/** The kinds of players. */
const MODES = [
  { value: 'agent', label: t('field.who.agent') },
  { value: 'people', label: t('field.who.people') },
  { value: 'agents', label: t('field.who.agents') },
];
const PLACES = [{ value: 'board', label: t('field.where.board') }, { value: 'apart', label: t('field.where.apart') }];
const GUESTS = [{ value: 'invited', label: t('field.guest.invited') }, { value: 'anybody', label: t('field.guest.anybody') }];
const SETUPS = [{ value: 'arrange', label: t('field.setup.arrange') }, { value: 'lot', label: t('field.setup.lot') }];
const DICE = [{ value: 'rolled', label: t('field.dice.rolled') }, { value: 'typed', label: t('field.dice.typed') }];

export class Fields {
  element = h('div', { class: 'options' });
  #choice;
  #game;
  #site;
  #changed;

  /**
   * @param {import('./choice.js').Choice} choice updated by these fields
   * @param {Game} game
   * @param {Site} site
   * @param {() => void} changed called when the board has to be redrawn
   */
  constructor(choice, game, site, changed) {
    this.#choice = choice;
    this.#game = game;
    this.#site = site;
    this.#changed = changed;
  }

  show() {
    const [choice, game, site] = [this.#choice, this.#game, this.#site];
    const { games, lobby } = site;
    const person = choice.mode === 'agent' || apart(choice);
    fill(
      this.element,
      games.length > 1 && select(t('field.game'), games.map((known) => ({ value: known.name, label: titleOf(known) })), game.name, (value) => {
        keep(this.#choice);
        go(`/?game=${value}`);
      }),
      this.#further(t('field.who'), MODES, 'mode'),
      ...(choice.mode === 'agents' ? bothAgents(choice, game, site) : []),
      ...(choice.mode === 'agent' ? opponent(choice, game, site) : []),
      choice.mode === 'people' && !alone && this.#further(t('field.where'), PLACES, 'place'),
      apart(choice) && lobby && this.#plain(t('field.guest'), GUESTS, 'guest'),
      apart(choice) && Boolean(game.setup) && this.#plain(t('field.setup'), SETUPS, 'setup'),
      person && this.#sides(),
      choice.mode !== 'agents' && h('div', { class: 'pair' }, this.#plain(t('field.dice'), DICE, 'dice'), this.#clock()),
    );
  }

  /** A choice on which other fields depend. @param {string} legend @param {typeof MODES} choices @param {'mode' | 'place'} name */
  #further(legend, choices, name) {
    return choose(legend, choices, this.#choice[name], (value) => {
      this.#choice[name] = value;
      this.show();
      this.#changed();
    });
  }

  /** A choice on which no other field depends. @param {string} legend @param {typeof MODES} choices @param {'guest' | 'setup' | 'dice'} name */
  #plain(legend, choices, name) {
    return choose(legend, choices, this.#choice[name], (value) => {
      this.#choice[name] = value;
    });
  }

  #sides() {
    const sides = [0, 1].map((side) => ({ value: String(side), label: h('span', {}, swatch(side), capital(sideOf(this.#game, side))) }));
    return choose(t('field.side'), [...sides, { value: 'chance', label: t('field.side.chance') }], this.#choice.side, (value) => {
      this.#choice.side = value;
      this.#changed();
    });
  }

  #clock() {
    return select(t('field.clock'), CLOCKS.map((value) => ({ value, label: clockName(value) })), this.#choice.clock, (value) => {
      this.#choice.clock = value;
    });
  }
}

/** @param {string} clock */
function clockName(clock) {
  const [minutes, seconds = 0] = clock.split('+').map(Number);
  return minutes === 0 ? t('clock.none') : timed(minutes, seconds);
}

/** A time control in words. @param {number} minutes for the game @param {number} seconds for each turn */
export const timed = (minutes, seconds) => (seconds ? t('clock.increment', { minutes, seconds }) : t('clock.minutes', { minutes }));
