// A game: the board, the dice, the clocks, the moves.

import { game as find, get, listen, scene as look, token } from '../api.js';
import { board, isAbove } from '../board.js';
import { dice, inline } from '../dice.js';
import { capital, fill, h, percent } from '../dom.js';
import { analysis, ending, named, say, swatch } from './shared.js';

/** @type {Page} */
export async function room(main, [id]) {
  let now = /** @type {Room} */ (await get(`/api/rooms/${encodeURIComponent(id)}`));
  const game = await find(now.game);
  const key = token(id);
  const faces = game.faces.map(({ roll }) => roll);
  const view = board();
  const thrown = dice();
  const status = h('p', { class: 'status' });
  const offers = h('div', { class: 'offers' });
  const banner = h('div', { class: 'banner' });
  const list = h('ol', { class: 'moves', 'aria-label': 'Moves', tabIndex: 0 });
  const actions = h('div', { class: 'actions' });
  const why = h('p', { class: 'why', 'aria-live': 'polite' });
  const problem = h('p', { class: 'problem', role: 'alert' });
  const cards = [0, 1].map(() => h('div', { class: 'player' }));
  const line = h('p', { class: 'soft line' });
  const people = [0, 1].filter((side) => now.players[side].kind === 'person');
  let flipped = isAbove(game.start.board, people.length === 1 ? people[0] : 0);
  /** The step that is looked at again; null while the game is followed. @type {number | null} */
  let past = null;
  /** Views are drawn one after the other, each when the one before has come to rest. */
  let drawn = Promise.resolve();
  let seen = -1;

  const socket = listen(`/api/rooms/${id}/live`, (message) => {
    if (message.error) {
      problem.textContent = message.error;
      render();
      return;
    }
    problem.textContent = '';
    drawn = drawn.then(() => arrive(message)).catch(() => {});
  }, (open) => {
    line.textContent = open ? '' : 'The line to the server is broken; trying again …';
  });
  const act = (/** @type {Record<string, unknown>} */ action) => socket.send({ token: key, ...action });

  /** Shows a new view with what has moved since the last. @param {Room} next */
  async function arrive(next) {
    const fresh = next.steps.length - now.steps.length;
    const before = now;
    now = next;
    if (past !== null) return;
    const last = lastMove(next);
    if (next.version !== seen && fresh === 1 && last && before.game === next.game) {
      render(false);
      await view.slide(last);
    }
    seen = next.version;
    render();
    await settle();
  }

  /** The dice of the view, tumbling if they are new. */
  function settle() {
    const { scene, steps, begun, end } = now;
    const again = end !== null || !begun;
    return thrown.show(again ? null : scene.roll, faces, `${steps.length} ${scene.roll}`);
  }

  /** @param {Room} view @returns {Move | null} */
  function lastMove({ steps, scene }) {
    const step = steps[steps.length - 1];
    return step ? squares(scene.board, step.move) : null;
  }

  const mine = () => Boolean(key) && now.players[now.scene.side].kind === 'person' && !now.end && past === null;

  function render(live = true) {
    const { scene, steps, end } = now;
    const turn = live && mine();
    const moves = turn ? scene.moves : [];
    view.show(scene.board, {
      label: `${game.title}, the board`,
      sides: game.sides,
      flipped,
      moves,
      play: (chosen) => (chosen.length === 1 ? act({ do: 'move', move: chosen[0].text }) : ask(chosen)),
      last: lastMove(now),
    });
    offer(turn);
    fill(status, ...words());
    players();
    moveList();
    fill(banner, ...(end ? [h('h2', {}, capital(ending(game, end)))] : []));
    banner.classList.toggle('shown', Boolean(end));
    fill(
      actions,
      key && !end && now.begun && h('button', { type: 'button', disabled: !now.undo, onclick: () => act({ do: 'undo' }) }, 'Take back'),
      key && !end && people.length > 0 && h('button', { type: 'button', onclick: () => act({ do: 'resign' }) }, 'Resign'),
      end && h('a', { class: 'button primary', href: '/' }, 'Play again'),
      h('a', { class: 'button', href: analysis(now.game, scene.position) }, 'Analyse'),
      end && now.steps.length > 0 && h('a', { class: 'button', href: `/review/${id}` }, 'Review'),
      end && now.dice.kind === 'fair' && h('a', { class: 'button', href: `/dice/${id}` }, 'Check the dice'),
      h('a', { class: 'button', href: `/api/rooms/${id}/record`, download: '' }, 'Save'),
      h('button', { type: 'button', onclick: turnBoard }, 'Turn the board'),
    );
    if (live) say(status.textContent ?? '');
    if (steps.length === 0) why.textContent = '';
  }

  function turnBoard() {
    flipped = !flipped;
    if (past === null) render();
    else void showPast(past);
  }

  /** Moves that no two squares name, and throws that are typed in. @param {boolean} turn */
  function offer(turn) {
    const { scene } = now;
    const typing = now.dice.kind === 'typed' && now.begun && !now.end && !scene.roll && Boolean(key) && past === null;
    const plain = scene.moves.filter(({ from }) => from === null);
    if (typing) {
      fill(offers, h('span', { class: 'offer-title' }, `What has ${game.sides[scene.side]} thrown?`), ...scene.throws.map(({ roll }) => h('button', { type: 'button', class: 'face', 'aria-label': `Thrown: ${roll}`, onclick: () => act({ do: 'throw', roll }) }, inline(roll))));
    } else if (turn && plain.length) {
      fill(offers, ...plain.map(({ text }) => h('button', { type: 'button', onclick: () => act({ do: 'move', move: text }) }, text === '0000' ? 'Pass' : text)));
    } else fill(offers);
  }

  /** Asks which of several moves between the same squares is meant. @param {Move[]} moves */
  function ask(moves) {
    fill(offers, ...moves.map(({ text }) => h('button', { type: 'button', onclick: () => act({ do: 'move', move: text }) }, text)));
    offers.querySelector('button')?.focus();
  }

  function words() {
    const { scene, end, begun } = now;
    const side = capital(game.sides[scene.side]);
    if (end) return [`The game is over after ${now.steps.length} moves.`];
    if (!begun) return ['The game has not begun.'];
    if (!scene.roll) return [`${side} throws.`];
    const who = now.players[scene.side].kind === 'person' ? (people.length === 1 ? 'your move.' : 'to move.') : 'thinking …';
    return [`${side} has thrown ${scene.roll}: ${who}`];
  }

  function players() {
    const { clock, scene, end } = now;
    const order = flipped ? [1, 0] : [0, 1];
    order.forEach((side, place) => {
      // The side whose men start below stands below the board.
      const below = isAbove(game.start.board, side) === flipped;
      const card = cards[below ? 1 : 0];
      const turn = !end && now.begun && scene.side === side;
      card.classList.toggle('turn', turn);
      fill(
        card,
        swatch(side),
        h('span', { class: 'player-name' }, capital(game.sides[side])),
        h('span', { class: 'soft' }, people.length === 1 && now.players[side].kind === 'person' ? 'You' : named(game, now.players[side])),
        clock && h('time', { class: 'clock', 'data-side': String(side) }, minutes(clock.left_ms[side])),
      );
      return place;
    });
  }

  const minutes = (/** @type {number} */ ms) => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;
  let ticked = performance.now();
  const ticking = setInterval(() => {
    const passed = performance.now() - ticked;
    ticked += passed;
    if (!now.clock || now.clock.running === null) return;
    const side = now.clock.running;
    now.clock.left_ms[side] = Math.max(0, now.clock.left_ms[side] - passed);
    const face = main.querySelector(`.clock[data-side="${side}"]`);
    if (face) face.textContent = minutes(now.clock.left_ms[side]);
  }, 250);

  function moveList() {
    fill(
      list,
      ...now.steps.map((step, number) =>
        h('li', {}, h('button', {
          type: 'button',
          class: `step${past === number ? ' chosen' : ''}`,
          'aria-label': `Move ${number + 1}: ${game.sides[step.side]}, throw ${step.roll}, ${step.move}`,
          onclick: () => void showPast(number),
        }, swatch(step.side), inline(step.roll), h('span', { class: 'move-text' }, step.move), step.value !== undefined && h('span', { class: 'soft' }, percent(step.value)))),
      ),
    );
    if (past === null) list.scrollTop = list.scrollHeight;
  }

  /** Shows the position before a step, with the move. @param {number} number */
  async function showPast(number) {
    past = number;
    const step = now.steps[number];
    const scene = await look(now.game, step.position);
    if (past !== number) return;
    const move = scene.moves.find(({ text }) => text === step.move) ?? null;
    view.show(scene.board, {
      label: `${game.title}, before move ${number + 1}`, sides: game.sides, flipped,
      marks: move ? [{ from: move.from, to: move.to, value: null, best: true }] : [],
    });
    void thrown.show(step.roll, faces, `${number} ${step.roll}`);
    fill(offers);
    fill(status, `Move ${number + 1}: ${game.sides[step.side]} has thrown ${step.roll} and plays ${step.move}.`);
    fill(
      actions,
      h('button', { type: 'button', class: 'primary', onclick: () => back() }, 'Back to the game'),
      h('button', { type: 'button', onclick: () => explain(step) }, 'Why?'),
      h('a', { class: 'button', href: analysis(now.game, step.position) }, 'Analyse'),
    );
    moveList();
  }

  function back() {
    past = null;
    why.textContent = '';
    render();
    void settle();
  }

  /** @type {{ close: () => void } | undefined} */
  let asking;

  /** Says in a sentence what the numbers say of a move. @param {ShownStep} step */
  function explain(step) {
    asking?.close();
    why.textContent = 'Looking …';
    const question = listen('/api/analyse', (/** @type {Report & { error?: string }} */ report) => {
      if (report.error) why.textContent = report.error;
      else why.textContent = sentence(game.sides[step.side], step.move, report.moves ?? []);
      if (report.error || report.last) question.close();
    });
    asking = question;
    question.send({ game: now.game, position: step.position });
  }

  fill(
    main,
    h('h1', { class: 'unseen' }, game.title),
    h(
      'div',
      { class: 'table' },
      h('div', { class: 'board-side' }, cards[0], view, cards[1]),
      h('div', { class: 'panel' }, banner, h('div', { class: 'throw' }, thrown, status), offers, problem, actions, why, list, line, fairness(now)),
    ),
  );
  render();
  void settle();
  return () => {
    socket.close();
    asking?.close();
    clearInterval(ticking);
  };
}

/** What the dice promise. @param {Room} room */
function fairness({ dice }) {
  if (dice.kind === 'typed') return null;
  return h('details', { class: 'fairness' }, h('summary', {}, 'Fair dice'), h('p', { class: 'soft' }, 'All throws were fixed before the game, by a secret with this hash and a text that your browser added. After the game the secret is shown and can be checked.'), h('code', { class: 'hash' }, dice.commitment));
}

/**
 * The squares of a move, for the arrow and the motion.
 * @param {Board} board
 * @param {string} text
 * @returns {Move | null}
 */
export function squares(board, text) {
  const names = board.squares.map((_, place) => board.columns[place % board.columns.length] + board.rows[Math.floor(place / board.columns.length)]);
  const from = names.findIndex((name) => text.startsWith(name));
  if (from < 0) return null;
  const to = names.indexOf(text.slice(names[from].length, names[from].length + names[from].length));
  return to < 0 ? null : { text, from, to, captures: null };
}

/**
 * What the numbers say of a move.
 * @param {string} side
 * @param {string} made
 * @param {Judged[]} moves the best first
 */
export function sentence(side, made, moves) {
  const mine = moves.find(({ move }) => move === made);
  const others = moves.filter(({ move, value }) => move !== made && value !== null);
  if (!mine || mine.value === null) return 'There is no value for this move.';
  const expects = `With ${made} ${side} expects ${percent(mine.value)}`;
  if (others.length === 0) return `${expects}; there was no other move.`;
  const gap = mine.value - Number(others[0].value);
  const points = `${Math.abs(100 * gap).toFixed(1)} points`;
  if (gap >= 0.0005) return `${expects}, ${points} more than with the next best move, ${others[0].move}.`;
  if (gap > -0.0005) return `${expects}, as much as with ${others[0].move}.`;
  return `${expects}; ${others[0].move} would have been ${points} better.`;
}
