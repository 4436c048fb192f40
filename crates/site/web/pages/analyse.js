// What every move of a position is worth, while it is searched.

import { game as find, listen, scene as look, site } from '../api.js';
import { board } from '../board.js';
import { short } from '../chart.js';
import { inline } from '../dice.js';
import { capital, choose, fill, h, percent, redraw, select } from '../dom.js';
import { editor, supported } from '../editor.js';
import { moveTable, rollTable } from '../scores.js';
import { drawn } from '../pieces.js';
import { spoken, squares } from '../moves.js';
import { rollButtons } from '../rolls.js';
import { rows } from './play.js';
import { analysis, copy, dress, entitle, swatch } from './shared.js';

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
  /** What is on the board while it is no position; `rest` are the fields behind the board. @type {{ board: Board, rest: string[] } | null} */
  let draft = null;
  /** Counts the positions asked for: only the last one is shown. */
  let wanted = 0;
  /** The letter that is put on squares, empty to take pieces away. */
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

  const link = h('input', { type: 'text', class: 'address', readOnly: true, hidden: true, 'aria-label': 'Address of this position' });

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
    const mine = (wanted += 1);
    try {
      const found = await look(game.name, position);
      if (mine !== wanted) return;
      now = found;
      draft = null;
      problem.textContent = '';
      link.hidden = true;
      history.replaceState(null, '', analysis(game.name, now.position));
      entitle('Analyse', game.title);
      ask();
    } catch (error) {
      if (mine !== wanted) return;
      problem.textContent = /** @type {Error} */ (error).message;
      text.setAttribute('aria-invalid', 'true');
      renderResults();
    }
  }

  /** The board and the fields behind it, without the roll. */
  const current = () => draft ?? { board: now.board, rest: now.at_rest.split(' ').slice(1) };

  /** Changes what is looked at; nothing is known of it until the server has seen it. @param {Board} board @param {string[]} rest */
  async function change(board, rest) {
    draft = { board, rest: editor(game.name).mend(rest, board) };
    report = null;
    hovered = null;
    tag += 1;
    problem.textContent = '';
    render();
    await set(written());
  }

  /** The text of what is on the board. */
  const written = () => (draft ? [rows(draft.board), ...draft.rest].join(' ') : now.position);

  /** Changes the pieces on the board. @param {(squares: Square[]) => void} edit */
  function edit(edit) {
    const { board, rest } = current();
    const changed = structuredClone(board);
    edit(changed.squares);
    void change(changed, rest);
  }

  function renderBoard() {
    const best = report?.moves?.[0]?.move;
    /** @param {Scored} scored */
    const mark = ({ move, value }) => {
      const found = squares(now.board, move);
      return { from: found?.from ?? null, to: found?.to ?? null, value, best: move === best };
    };
    const { board: drawn } = current();
    const most = now.board.columns.length > 5 ? 4 : 6;
    const shown = (report?.moves ?? []).filter(({ move }) => hovered === null || move === hovered).slice(0, most);
    const line = hovered === null ? [] : pv();
    view.show(drawn, {
      label: editing ? 'The board, to be changed' : `${game.title}, the board`,
      sides: game.sides,
      flipped,
      marks: editing || draft ? [] : line.length ? line : shown.map(mark),
      moves: editing || draft ? [] : now.moves,
      play: ([move]) => void play(move),
      press: editing && brush !== 'move' ? put : undefined,
      drop: editing && brush === 'move' ? () => true : undefined,
      put: (from, to) => edit((all) => {
        all[to].piece = all[from].piece;
        delete all[from].piece;
      }),
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
    edit((all) => {
      if (brush === '') return delete all[square].piece;
      const once = game.start.board.squares.filter(({ piece }) => piece?.letter === brush).length === 1;
      if (once) for (const other of all) if (other.piece?.letter === brush) delete other.piece;
      const piece = game.start.board.squares.find(({ piece: known }) => known?.letter === brush)?.piece;
      if (piece) all[square].piece = piece;
    });
  }

  /** Boards to begin with, and what a position says beside its board. */
  function tools() {
    const { board, rest } = current();
    const { rights, given, give } = editor(game.name);
    const letters = given(rest);
    const toggle = (/** @type {string} */ letter) => rights.map((right) => right.letter).filter((known) => letters.includes(known) !== (known === letter)).join('');
    return [
      h('div', { class: 'actions' },
        h('button', { type: 'button', onclick: () => edit((all) => all.forEach((square) => delete square.piece)) }, 'Clear the board'),
        h('button', { type: 'button', onclick: () => void set(game.start.at_rest) }, 'Start position')),
      rights.length > 0 && h('div', { class: 'actions rights', role: 'group', 'aria-label': 'Castling' },
        ...rights.map((right) => h('button', {
          type: 'button', 'aria-pressed': String(letters.includes(right.letter)), disabled: !supported(board, right),
          onclick: () => void change(board, give(rest, toggle(right.letter))),
        }, `${capital(game.sides[right.side])} castles ${right.label}`))),
    ];
  }

  function renderSetting() {
    text.value = written();
    text.removeAttribute('aria-invalid');
    const pieces = new Map(game.start.board.squares.flatMap(({ piece }) => (piece ? [[piece.letter, piece]] : [])));
    const brushes = [
      { value: 'move', label: 'Move' },
      { value: '', label: 'Remove' },
      ...[...pieces.values()].sort((one, other) => one.side - other.side || one.label.localeCompare(other.label)).map((piece) => ({
        value: piece.letter,
        label: h('span', { class: 'brush', role: 'img', 'aria-label': `${game.sides[piece.side]} ${piece.label}` }, drawn(piece)),
      })),
    ];
    fill(palette, ...(editing ? [choose('Put on the board', brushes, brush, (value) => {
      brush = value;
      renderBoard();
    }), ...tools()] : []));
    const { board, rest } = current();
    fill(
      setting,
      games.length > 1 && select('Game', games.map(({ name, title }) => ({ value: name, label: title })), game.name, async (value) => {
        game = await find(value);
        dress(main, game);
        draft = null;
        await set(game.samples[0]);
      }),
      !draft && h('div', { class: 'rolls', role: 'group', 'aria-label': 'The roll' },
        h('button', { type: 'button', 'aria-pressed': String(!now.roll), onclick: () => void set(now.at_rest) }, 'All rolls'),
        ...rollButtons(now.rolls, now.roll, ({ position }) => void set(position))),
      h('div', { class: 'actions' },
        ...game.sides.map((name, side) => h('button', { type: 'button', 'aria-pressed': String(rest[0] === letter(side)), onclick: () => void change(board, [letter(side), ...rest.slice(1)]) }, swatch(side), `${capital(name)} to move`))),
      h('div', { class: 'actions' },
        h('button', { type: 'button', 'aria-pressed': String(editing), onclick: () => { editing = !editing; brush = 'move'; render(); } }, 'Edit'),
        h('button', { type: 'button', onclick: () => { flipped = !flipped; renderBoard(); } }, 'Turn the board'),
        h('button', { type: 'button', onclick: share }, 'Copy link')),
      h('details', {}, h('summary', {}, `Scored by ${agent}`),
        select('Agent', agents.map(({ name, about }) => ({ value: name, label: `${name} – ${about}` })), agent, (value) => {
          agent = value;
          ask();
        })),
    );
  }

  /** @param {Event} event */
  async function share(event) {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    link.value = location.href;
    link.hidden = false;
    const copied = await copy(link);
    button.textContent = copied ? 'Copied' : 'Copy the selected address';
    link.hidden = copied;
    if (copied) button.focus();
  }

  const renderResults = () => redraw(results, fillResults);

  function fillResults() {
    if (draft) return fill(results, h('p', { class: 'note' }, problem.textContent ? 'This is no position yet; the line below the board says why.' : 'Searching …'));
    if (now.result) return fill(results, h('p', { class: 'note' }, `The game is over: ${now.result}.`));
    const side = capital(game.sides[now.side]);
    if (!report) return fill(results, h('p', { class: 'searching note' }, problem.textContent ? '' : 'Searching …'));
    const scored = report.moves ?? report.rolls?.flatMap(({ moves }) => moves) ?? [];
    const known = scored.length > 0 && scored.every(({ exact }) => exact);
    const rate = report.nodes / Math.max(report.seconds, 1e-9);
    fill(
      results,
      h('p', { class: 'verdict' }, h('b', {}, percent(report.value)), h('span', {}, ` for ${side}${now.roll ? `, who has rolled ${spoken(now.roll)}` : ', before the roll'}${known ? '' : `, ${report.agent} thinks`}`)),
      report.moves && moveTable(report.moves, now.side, { hover: lookAt, choose: (text) => void play({ text }) }),
      report.rolls && rollTable(report.rolls, now.side, (roll) => {
        const rolled = now.rolls.find((known) => known.roll === roll);
        if (rolled) void set(rolled.position);
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
    redraw(controls, renderSetting);
    renderResults();
  }

  const controls = h('div', { class: 'table' },
    h('div', { class: 'board-side' }, view, palette, h('div', { class: 'position-line' }, text), problem, link),
    h('div', { class: 'panel' }, h('h1', {}, 'Analyse'), setting, results));
  fill(main, controls);
  ask();
  return () => socket.close();
}
