// What every move of a position is worth, while it is searched.

import { game as find, listen, scene as look, site } from '../api.js';
import { board } from '../board.js';
import { short } from '../chart.js';
import { inline } from '../dice.js';
import { capital, choose, fill, h, percent, select } from '../dom.js';
import { moveTable, throwTable } from '../judged.js';
import { drawn } from '../men.js';
import { spoken, squares } from '../moves.js';
import { throwButtons } from '../throws.js';
import { rows } from './play.js';
import { analysis, dress, swatch } from './shared.js';


/** @type {Page} */
export async function analyse(main, _rest, query) {
  const { games, agents, agent: champion } = await site();
  let game = await find(query.get('game'));
  let agent = champion;
  let complaint = '';
  let now = await look(game.name, query.get('position') ?? game.samples[0]).catch((error) => {
    complaint = error.message;
    return look(game.name, game.samples[0]);
  });
  let flipped = false;
  let editing = false;
  /** The letter that is put on squares, empty to take men away. */
  let brush = '';
  let tag = 0;
  /** @type {Report | null} */
  let report = null;
  /** The move that is looked at. @type {string | null} */
  let hovered = null;
  dress(main, game);
  const view = board();
  const problem = h('p', { class: 'problem', role: 'alert' }, complaint);
  const results = h('div', { class: 'results' });
  const setting = h('div', { class: 'options' });
  const palette = h('div', { class: 'palette' });
  const text = h('input', {
    type: 'text', class: 'position', spellcheck: false, autocomplete: 'off', 'aria-label': 'Position as text',
    onchange: () => void set(text.value),
  });

  const socket = listen('/api/analyse', (/** @type {Report & { error?: string }} */ message) => {
    if (message.error) {
      problem.textContent = message.error;
      report = null;
    } else if (message.tag === tag) report = message;
    renderResults();
    renderBoard();
  });

  function ask() {
    report = null;
    tag += 1;
    if (!now.result && (now.moves.length || !now.roll)) socket.send({ game: game.name, position: now.position, agent, tag });
    render();
  }

  /** Goes to another position. @param {string} position */
  async function set(position) {
    try {
      now = await look(game.name, position);
      problem.textContent = '';
      history.replaceState(null, '', analysis(game.name, now.position));
      ask();
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
      text.setAttribute('aria-invalid', 'true');
    }
  }

  const fields = () => now.position.split(' ');
  /** The position without its throw. */
  const atRest = () => now.at_rest;

  function renderBoard() {
    const best = report?.moves?.[0]?.move;
    /** @param {Judged} judged */
    const mark = ({ move, value }) => {
      const found = squares(now.board, move);
      return { from: found?.from ?? null, to: found?.to ?? null, value, best: move === best };
    };
    const most = now.board.columns.length > 5 ? 4 : 6;
    const shown = (report?.moves ?? []).filter(({ move }) => hovered === null || move === hovered).slice(0, most);
    const line = hovered === null ? [] : pv();
    view.show(now.board, {
      label: editing ? 'The board, to be changed' : `${game.title}, the board`,
      sides: game.sides,
      flipped,
      marks: editing ? [] : line.length ? line : shown.map(mark),
      moves: editing ? [] : now.moves,
      play: ([move]) => void play(move),
      press: editing && brush !== 'move' ? put : undefined,
      drop: editing && brush === 'move' ? () => true : undefined,
      put: (from, to) => {
        const { squares: all } = now.board;
        all[to].man = all[from].man;
        delete all[from].man;
        void changed();
      },
    });
  }

  /** @param {string | null} move */
  function lookAt(move) {
    hovered = move;
    renderBoard();
  }

  /** The principal variation as arrows, if the best move is looked at. */
  function pv() {
    if (!report?.line || hovered !== report.moves?.[0]?.move) return [];
    return report.line.map((part, place) => {
      const found = squares(now.board, part.split(' ')[1] ?? '');
      return { from: found?.from ?? null, to: found?.to ?? null, value: null, best: place % 2 === 0 };
    });
  }

  /** Plays a move and looks at the position after it. @param {{ text: string }} move */
  async function play(move) {
    const after = await look(game.name, now.position, move.text);
    await set(after.position);
  }

  /** @param {number} side */
  const letter = (side) => game.sides[side].charAt(0);

  /** @param {number} square */
  function put(square) {
    const { squares: all } = now.board;
    if (brush === '') delete all[square].man;
    else {
      const once = game.start.board.squares.filter(({ man }) => man?.letter === brush).length === 1;
      if (once) for (const other of all) if (other.man?.letter === brush) delete other.man;
      const man = game.start.board.squares.find(({ man: known }) => known?.letter === brush)?.man;
      if (man) all[square].man = man;
    }
    void changed();
  }

  const changed = () => set([rows(now.board), ...atRest().split(' ').slice(1)].join(' ')).then(renderBoard);

  function renderSetting() {
    text.value = now.position;
    text.removeAttribute('aria-invalid');
    const men = new Map(game.start.board.squares.flatMap(({ man }) => (man ? [[man.letter, man]] : [])));
    const brushes = [
      { value: 'move', label: 'Move' },
      { value: '', label: 'Remove' },
      ...[...men.values()].sort((one, other) => one.side - other.side || one.label.localeCompare(other.label)).map((man) => ({
        value: man.letter,
        label: h('span', { class: 'brush', role: 'img', 'aria-label': `${game.sides[man.side]} ${man.label}` }, drawn(man)),
      })),
    ];
    fill(palette, editing && choose('Put on the board', brushes, brush, (value) => {
      brush = value;
      renderBoard();
    }));
    fill(
      setting,
      games.length > 1 && select('Game', games.map(({ name, title }) => ({ value: name, label: title })), game.name, async (value) => {
        game = await find(value);
        dress(main, game);
        await set(game.samples[0]);
      }),
      h('div', { class: 'rolls', role: 'group', 'aria-label': 'The throw' },
        h('button', { type: 'button', 'aria-pressed': String(!now.roll), onclick: () => void set(atRest()) }, 'All throws'),
        ...throwButtons(now.throws, now.roll, ({ position }) => void set(position))),
      h('div', { class: 'actions' },
        ...game.sides.map((name, side) => h('button', { type: 'button', 'aria-pressed': String(now.side === side), onclick: () => void set([fields()[0], letter(side), ...atRest().split(' ').slice(2)].join(' ')) }, swatch(side), `${capital(name)} to move`))),
      h('div', { class: 'actions' },
        h('button', { type: 'button', 'aria-pressed': String(editing), onclick: () => { editing = !editing; brush = 'move'; render(); } }, 'Edit'),
        h('button', { type: 'button', onclick: () => { flipped = !flipped; renderBoard(); } }, 'Turn the board'),
        h('button', { type: 'button', onclick: share }, 'Copy link')),
      h('details', {}, h('summary', {}, `Judged by ${agent}`),
        select('Agent', agents.map(({ name, about }) => ({ value: name, label: `${name} – ${about}` })), agent, (value) => {
          agent = value;
          ask();
        })),
    );
  }

  /** @param {Event} event */
  async function share(event) {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    await navigator.clipboard?.writeText(location.href).catch(() => {});
    button.textContent = 'Copied';
  }

  /** The results; what has the focus in them keeps it. */
  function renderResults() {
    const focused = results.contains(document.activeElement) && document.activeElement?.getAttribute('aria-label');
    fillResults();
    if (focused) [...results.querySelectorAll('button')].find((button) => button.getAttribute('aria-label') === focused)?.focus();
  }

  function fillResults() {
    if (now.result) return fill(results, h('p', { class: 'note' }, `The game is over: ${now.result}.`));
    const side = capital(game.sides[now.side]);
    if (!report) return fill(results, h('p', { class: 'searching note' }, problem.textContent ? '' : 'Searching …'));
    const rate = report.nodes / Math.max(report.seconds, 1e-9);
    fill(
      results,
      h('p', { class: 'verdict' }, h('b', {}, percent(report.value)), h('span', {}, ` for ${side}${now.roll ? `, who has thrown ${spoken(now.roll)}` : ', before the throw'}`)),
      report.moves && moveTable(report.moves, now.side, { hover: lookAt, choose: (text) => void play({ text }) }),
      report.throws && throwTable(report.throws, now.side, (roll) => {
        const thrown = now.throws.find((known) => known.roll === roll);
        if (thrown) void set(thrown.position);
      }),
      report.line && report.line.length > 0 && h('p', { class: 'variation', onpointerenter: () => lookAt(report?.moves?.[0]?.move ?? null), onpointerleave: () => lookAt(null) }, h('span', { class: 'soft' }, 'Main line '), ...report.line.slice(0, 10).flatMap((part) => {
        const [roll, move] = part.split(' ');
        return [h('span', { class: 'turn-chip' }, inline(roll.replace('@', '')), move)];
      })),
      h('p', { class: 'soft meta' }, report.last ? '' : h('span', { class: 'pulse', 'aria-hidden': 'true' }), `${report.agent}: depth ${report.depth}, ${report.nodes.toLocaleString()} positions, ${short(rate)} a second${report.last ? '' : ', searching on'}`),
    );
  }

  function render() {
    renderBoard();
    renderSetting();
    renderResults();
  }

  fill(
    main,
    h('div', { class: 'table' },
      h('div', { class: 'board-side' }, view, palette, h('div', { class: 'position-line' }, text), problem),
      h('div', { class: 'panel' }, h('h1', {}, 'Analyse'), setting, results)),
  );
  ask();
  return () => socket.close();
}
