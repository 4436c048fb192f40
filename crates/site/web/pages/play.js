// The first page: a board, an opponent, and a button.

import { get, game as find, post, remember, salted, site } from '../api.js';
import { board, isAbove } from '../board.js';
import { capital, choose, fill, h, select } from '../dom.js';
import { exchange, setupText, shuffleSide } from '../setup.js';
import { dress, go, swatch } from './shared.js';

/** Clocks to choose from: minutes for the game and seconds for each move. */
const CLOCKS = ['0', '1', '3', '3+2', '5', '5+3', '15', '15+10'];

/** Who may play. */
const MODES = [
  { value: 'agent', label: 'You and an agent' },
  { value: 'people', label: 'Two people' },
  { value: 'agents', label: 'Two agents' },
];

/** What was chosen last, for the next time. */
const CHOSEN = 'play';

/** @type {Page} */
export async function play(main, _rest, query) {
  const { games, agents, agent: champion } = await site();
  const kept = JSON.parse(localStorage.getItem(CHOSEN) ?? '{}');
  const game = await find(query.get('game') ?? kept.game ?? null);
  dress(main, game);
  const choice = {
    game: game.name,
    mode: 'agent',
    level: Math.min(3, game.levels.length),
    /** The agent that plays instead of the level, if any. */
    other: game.levels.length ? '' : champion,
    /** Who plays where two agents do, the first side first. */
    agents: [game.levels[2]?.spec ?? champion, champion],
    side: 'chance',
    dice: 'rolled',
    clock: '0',
    place: 'board',
    setup: 'arrange',
    ...(kept.game === game.name ? kept : {}),
  };
  const mode = query.get('mode');
  if (mode && MODES.some(({ value }) => value === mode)) choice.mode = mode;
  if (!agents.some(({ name }) => name === choice.other)) choice.other = game.levels.length ? '' : champion;
  if (choice.level > game.levels.length) choice.level = game.levels.length;
  /** Each side's arrangement, changed by dragging. */
  const scene = structuredClone(game.start);
  const own = () => (choice.side === '1' ? 1 : 0);
  const view = board();
  const options = h('div', { class: 'options' });
  const problem = h('p', { class: 'problem', role: 'alert' });
  const begin = h('button', { class: 'primary', type: 'button', onclick: start }, 'Play');

  const keep = () => localStorage.setItem(CHOSEN, JSON.stringify(choice));
  const mine = (/** @type {number} */ square) => {
    const side = scene.board.squares[square].piece?.side;
    return side !== undefined && (choice.mode === 'people' || choice.side === 'chance' || side === own());
  };

  const apart = () => choice.mode === 'people' && choice.place === 'apart';

  function draw() {
    const free = Boolean(game.setup) && !apart();
    for (const hint of main.querySelectorAll('.under > :not(.primary)')) hint.toggleAttribute('hidden', !free);
    view.show(scene.board, {
      label: free ? 'Set-up: choose a piece, then one to exchange it with' : 'The board at the start',
      sides: game.sides,
      flipped: isAbove(scene.board, own()),
      drop: free
        ? (from, to) => mine(from) && scene.board.squares[from].piece?.side === scene.board.squares[to].piece?.side
        : undefined,
      put: (from, to) => {
        exchange(scene.board, from, to);
        draw();
      },
    });
  }

  /** The arrangement on the board as the notation of the game's start. */
  function position() {
    const [, ...rest] = scene.position.split(' ');
    return [rows(scene.board), ...rest].join(' ');
  }

  function shuffle() {
    for (const side of [0, 1]) {
      if (choice.mode === 'people' || choice.side === 'chance' || side === own()) shuffleSide(scene.board, side);
    }
    draw();
  }

  /** How the pieces stand at the beginning. @param {number} side the one of a person against an agent, or of the host */
  function arranged(side) {
    if (!game.setup) return {};
    if (apart()) return { arrange: choice.setup === 'arrange' };
    if (choice.mode !== 'agent') return { position: position() };
    return { setups: [0, 1].map((one) => (one === side ? setupText(game, one, scene.board) : 'book')) };
  }

  function clock() {
    const [minutes, increment = 0] = choice.clock.split('+').map(Number);
    return { seconds: 60 * minutes, increment };
  }

  async function start() {
    problem.textContent = '';
    // A second click opens no second room.
    begin.disabled = true;
    keep();
    const side = choice.side === 'chance' ? Math.floor(2 * Math.random()) : own();
    /** @type {(n: number) => Player} */
    const player = (n) => {
      if (choice.mode === 'people' || (choice.mode === 'agent' && n === side)) return { kind: 'person' };
      return { kind: 'agent', spec: choice.mode === 'agents' ? choice.agents[n] : opponent() };
    };
    const players = [player(0), player(1)];
    try {
      const request = {
        game: game.name,
        players,
        ...arranged(side),
        ...(apart() ? { guest: 1 - side } : {}),
        typed_dice: choice.dice === 'typed' && choice.mode !== 'agents',
        clock: choice.clock !== '0' && choice.mode !== 'agents' ? clock() : null,
        pace_ms: choice.mode === 'agents' ? 1100 : 900,
      };
      const opened = /** @type {Room} */ (await post('/api/rooms', request));
      const token = opened.token ?? '';
      remember(opened.id, token);
      if (opened.invitation) {
        localStorage.setItem(`invitation:${opened.id}`, opened.invitation);
        return go(`/room/${opened.id}`);
      }
      const salt = salted(opened.id, opened.dice);
      await post(`/api/rooms/${opened.id}`, { token, version: opened.version, do: 'begin', salt });
      go(`/room/${opened.id}`);
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
      begin.disabled = false;
    }
  }

  /** Who plays against one person: the level, unless another agent was chosen. */
  const opponent = () => choice.other || game.levels[choice.level - 1].spec;

  function opponents() {
    if (game.levels.length) return level();
    return [select('Agent', named(), choice.other, (value) => {
      choice.other = value;
    })];
  }

  function level() {
    const output = h('output', { class: 'level-name' });
    const tell = () => {
      const { name, elo, within } = game.levels[choice.level - 1];
      if (choice.other) fill(output, h('b', {}, choice.other), h('span', { class: 'soft' }, ' an agent, no level'));
      else fill(output, h('b', {}, name), h('span', { class: 'soft' }, ` Elo ${elo}${within ? ` ± ${within}` : ', to which the others are measured'}`), h('span', { class: 'soft of' }, `level ${choice.level} of ${game.levels.length}`));
      slider.setAttribute('aria-valuetext', choice.other ? `none, ${choice.other} plays` : `${name}, Elo ${elo}`);
    };
    const slider = h('input', {
      type: 'range', min: '1', max: String(game.levels.length), step: '1', value: String(choice.level), 'aria-label': 'Level',
      oninput: (/** @type {Event} */ event) => {
        choice.level = Number(/** @type {HTMLInputElement} */ (event.target).value);
        choice.other = '';
        others.value = '';
        tell();
      },
    });
    const field = select('Agent', [{ value: '', label: 'The level above' }, ...named()], choice.other, (value) => {
      choice.other = value;
      tell();
    });
    const others = /** @type {HTMLSelectElement} */ (field.querySelector('select'));
    tell();
    return [h('div', { class: 'level' }, output, slider), h('details', { open: choice.other !== '' }, h('summary', {}, 'Another agent'), field)];
  }

  /** All agents, to choose one. */
  const named = () => agents.map(({ name, about }) => ({ value: name, label: `${name} – ${about}` }));

  /** Who plays each side where two agents do. */
  function chooseAgents() {
    const levels = game.levels.map(({ name, spec, elo }) => ({ value: spec, label: `${name}, Elo ${elo}` }));
    const all = [...levels, ...named().filter(({ value }) => !levels.some((level) => level.value === value))];
    choice.agents = choice.agents.map((/** @type {string} */ spec) => (all.some(({ value }) => value === spec) ? spec : champion));
    return game.sides.map((name, side) =>
      select(capital(name), all, choice.agents[side], (value) => {
        choice.agents[side] = value;
      }),
    );
  }

  function fields() {
    fill(
      options,
      games.length > 1 &&
        select('Game', games.map(({ name, title }) => ({ value: name, label: title })), game.name, (value) => go(`/?game=${value}`)),
      choose('Who plays', MODES, choice.mode, (value) => {
        choice.mode = value;
        fields();
        draw();
      }),
      ...(choice.mode === 'agents' ? chooseAgents() : []),
      ...(choice.mode === 'agent' ? opponents() : []),
      choice.mode === 'people' &&
        choose('Where', [{ value: 'board', label: 'At one board' }, { value: 'apart', label: 'On two devices' }], choice.place, (value) => {
          choice.place = value;
          fields();
          draw();
        }),
      apart() && Boolean(game.setup) &&
        choose('Set-up', [{ value: 'arrange', label: 'Both arrange' }, { value: 'lot', label: 'By lot' }], choice.setup, (value) => {
          choice.setup = value;
        }),
      (choice.mode === 'agent' || apart()) &&
        choose('You are', [
          ...game.sides.map((name, side) => ({ value: String(side), label: h('span', {}, swatch(side), capital(name)) })),
          { value: 'chance', label: 'By chance' },
        ], choice.side, (value) => {
          choice.side = value;
          draw();
        }),
      choice.mode !== 'agents' &&
        h(
          'div',
          { class: 'pair' },
          choose('Dice', [{ value: 'rolled', label: 'Rolled' }, { value: 'typed', label: 'Typed in' }], choice.dice, (value) => {
            choice.dice = value;
          }),
          select('Clock', CLOCKS.map((value) => ({ value, label: clockName(value) })), choice.clock, (value) => {
            choice.clock = value;
          }),
        ),
    );
  }

  const own_rooms = h('section', { class: 'recent' });
  fill(
    main,
    h(
      'div',
      { class: 'table' },
      h('div', { class: 'board-side' }, view, h('div', { class: 'under' }, begin, game.setup && h('button', { type: 'button', onclick: shuffle }, 'Shuffle'), game.setup && h('p', { class: 'soft hint' }, 'Drag one cube onto another to exchange them.')), problem),
      h('div', { class: 'panel' }, h('h1', {}, game.title), h('p', { class: 'lead' }, `${capital(game.about)}.`), options, own_rooms),
    ),
  );
  fields();
  draw();
  void unfinished(own_rooms, games);
}

/** @param {string} clock */
function clockName(clock) {
  const [minutes, increment] = clock.split('+');
  if (minutes === '0') return 'None';
  return `${minutes} min${increment ? ` + ${increment} s a move` : ''}`;
}

/** Games of ours that wait. @param {HTMLElement} place @param {Game[]} games */
async function unfinished(place, games) {
  const rooms = /** @type {Listed[]} */ (await get('/api/rooms').catch(() => []));
  const ours = rooms.filter(({ id, over }) => !over && localStorage.getItem(`room:${id}`)).slice(0, 3);
  if (!ours.length) return;
  const title = (/** @type {string} */ name) => games.find((game) => game.name === name)?.title ?? name;
  const when = (/** @type {number} */ seconds) => new Date(1000 * seconds).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  fill(place, h('h2', {}, 'Go on with'), h('ul', {}, ...ours.map(({ id, game, changed }) => h('li', {}, h('a', { href: `/room/${id}` }, title(game)), h('span', { class: 'soft' }, ` ${when(changed)}`)))));
}

/** The first field of a position text: rows from the top, letters and runs of empty squares. */
export function rows(/** @type {Board} */ { squares, columns }) {
  const lines = [];
  for (let start = 0; start < squares.length; start += columns.length) {
    const line = squares.slice(start, start + columns.length).map((square) => square.piece?.letter ?? ' ').join('');
    lines.push(line.replace(/ +/g, (empty) => String(empty.length)));
  }
  return lines.join('/');
}
