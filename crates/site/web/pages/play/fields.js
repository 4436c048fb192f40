// The fields of the first page, in which a game is chosen.

import { alone } from '../../device.js';
import { capital, choose, fill, h, select } from '../../dom.js';
import { go, swatch } from '../shared.js';
import { apart, keep } from './choice.js';
import { bothAgents, opponent } from './opponents.js';

/** The time controls: minutes for the game and seconds for each move. */
const CLOCKS = ['0', '1', '3', '3+2', '5', '5+3', '15', '15+10'];

/** The kinds of players. */
const MODES = [
  { value: 'agent', label: 'You and the computer' },
  { value: 'people', label: 'Two people' },
  { value: 'agents', label: 'Computer against computer' },
];
const PLACES = [{ value: 'board', label: 'At one board' }, { value: 'apart', label: 'On two devices' }];
const SETUPS = [{ value: 'arrange', label: 'Both players arrange' }, { value: 'lot', label: 'Random set-ups' }];
const DICE = [{ value: 'rolled', label: 'Rolled here' }, { value: 'typed', label: 'Real dice' }];

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
    const { games } = site;
    const person = choice.mode === 'agent' || apart(choice);
    fill(
      this.element,
      games.length > 1 && select('Game', games.map(({ name, title }) => ({ value: name, label: title })), game.name, (value) => {
        keep(this.#choice);
        go(`/?game=${value}`);
      }),
      this.#further('Who plays', MODES, 'mode'),
      ...(choice.mode === 'agents' ? bothAgents(choice, game, site) : []),
      ...(choice.mode === 'agent' ? opponent(choice, game, site) : []),
      choice.mode === 'people' && !alone && this.#further('Where', PLACES, 'place'),
      apart(choice) && Boolean(game.setup) && this.#plain('Set-up', SETUPS, 'setup'),
      person && this.#sides(),
      choice.mode !== 'agents' && h('div', { class: 'pair' }, this.#plain('Dice', DICE, 'dice'), this.#clock()),
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

  /** A choice on which no other field depends. @param {string} legend @param {typeof MODES} choices @param {'setup' | 'dice'} name */
  #plain(legend, choices, name) {
    return choose(legend, choices, this.#choice[name], (value) => {
      this.#choice[name] = value;
    });
  }

  #sides() {
    const sides = this.#game.sides.map((name, side) => ({ value: String(side), label: h('span', {}, swatch(side), capital(name)) }));
    return choose('You are', [...sides, { value: 'chance', label: 'Random' }], this.#choice.side, (value) => {
      this.#choice.side = value;
      this.#changed();
    });
  }

  #clock() {
    return select('Clock', CLOCKS.map((value) => ({ value, label: clockName(value) })), this.#choice.clock, (value) => {
      this.#choice.clock = value;
    });
  }
}

/** @param {string} clock */
function clockName(clock) {
  const [minutes, increment] = clock.split('+');
  if (minutes === '0') return 'None';
  return `${minutes} min${increment ? ` + ${increment} s a turn` : ''}`;
}
