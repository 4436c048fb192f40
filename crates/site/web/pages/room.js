// A game: the board, the dice, the clocks, the moves.

import { game as find, get, keptDice, listen, remember, salted, scene as look, token } from '../api.js';
import { board, isAbove } from '../board.js';
import { dice, inline } from '../dice.js';
import { capital, fill, h, percent } from '../dom.js';
import { kind, sentence, spoken, squares, unsquared } from '../moves.js';
import { exchange, setupText, shuffleSide } from '../setup.js';
import { knock, rattle } from '../sound.js';
import { rollButtons } from '../rolls.js';
import { bothMoved, invitation, presence, proposal, takeSeat, untilClaim } from './people.js';
import { analysis, dress, ending, entitle, go, named, say, swatch } from './shared.js';

/** A clock with less, in milliseconds, is shown so. */
const LOW = 20_000;
/** How long a side sees that it cannot move before it passes. */
const PASSING = 1400;
/** Whether an agent's moves are explained is remembered. */
const EXPLAINED = 'explain';

/** @type {Page} */
export async function room(main, [id]) {
  let now = /** @type {Room} */ (await get(`/api/rooms/${encodeURIComponent(id)}`));
  const game = await find(now.game);
  if (!token(id) && (await takeSeat(now))) now = await get(`/api/rooms/${id}`);
  const key = token(id);
  dress(main, game);
  const faces = game.faces.map(({ roll }) => roll);
  const view = board();
  const rolled = dice();
  const status = h('p', { class: 'status' });
  const offers = h('div', { class: 'offers' });
  const banner = h('div', { class: 'banner' });
  const list = h('ol', { class: 'moves', 'aria-label': 'Moves', tabIndex: 0 });
  const opinions = h('p', { class: 'soft opinions' });
  const actions = h('div', { class: 'actions' });
  const more = h('div', { class: 'actions minor' });
  const why = h('p', { class: 'why', 'aria-live': 'polite' });
  const problem = h('p', { class: 'problem', role: 'alert' });
  const cards = [0, 1].map(() => h('div', { class: 'player' }));
  const line = h('p', { class: 'soft line' });
  const talk = h('div', { class: 'offers talk' });
  const inviting = h('div', {});
  const crowd = h('p', { class: 'soft' });
  const marks = h('p', { class: 'soft' });
  const fair = h('div', {});
  /** Whether what the dice promise is shown with what this browser keeps. @type {boolean | null} */
  let promised = null;
  const people = [0, 1].filter((side) => now.players[side].kind === 'person');
  /** The sides for which this browser stands: where two people have a device each, the server says it. */
  let held = people.filter(() => Boolean(key) && !now.apart);
  /** The one of them, if it is one. @returns {number | null} */
  const me = () => (held.length === 1 ? held[0] : null);
  /** @type {import('./people.js').Here | null} */
  let here = null;
  let heard = 0;
  /** The pieces as they are arranged, while both do. @type {Board | null} */
  let arranging = null;
  let arranged = '';
  /** What is done after a question. @type {'resign' | 'abort' | null} */
  let asked = null;
  /** What was answered to it with yes: it goes again if it has crossed a change of the other's. @type {'resign' | 'abort' | null} */
  let sure = null;
  let flipped = isAbove(game.start.board, people.length === 1 ? people[0] : 0);
  /** The step that is looked at again; null while the game is followed. @type {number | null} */
  let past = null;
  /** Views are drawn one after the other, each when the one before has come to rest. */
  let drawn = Promise.resolve();
  /** The version of the view that is drawn. */
  let seen = now.version;
  /** Whether the dice are still tumbling: nobody is told what they will show. */
  let tumbling = false;
  /** The number of the roll that was last heard. */
  let seenRoll = now.steps.length ? rollNumber(now) : 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let passing;
  const opposed = Boolean(key) && people.length === 1 && !now.apart;
  let explained = opposed && localStorage.getItem(EXPLAINED) === 'on';

  /** The version for which something was sent that is not answered yet. @type {number | null} */
  let sent = null;
  const socket = listen(`/api/rooms/${id}/live`, (message) => {
    if (message.here) return meet(message);
    if (message.error || message.version !== sent) {
      socket.settle();
      sent = null;
    }
    if (message.error) {
      sure = null;
      problem.textContent = message.error;
      render();
      return;
    }
    problem.textContent = '';
    drawn = drawn.then(() => arrive(message)).then(prepare).catch(() => {});
  }, (open) => {
    line.textContent = open ? '' : 'The line to the server is broken; trying again …';
  }, () => now.apart && { do: 'enter', token: key ?? '' });
  /** Every message says for which version it is made: sent twice, it does nothing the second time. */
  const act = (/** @type {Record<string, unknown>} */ action) => {
    sent = now.version;
    socket.send({ token: key, version: now.version, ...action });
  };

  /** Notes who is there, and for whom this browser stands. @param {{ here: import('./people.js').Here, you?: [boolean, boolean] }} message */
  function meet(message) {
    here = message.here;
    heard = performance.now();
    const before = String(held);
    if (message.you) {
      held = people.filter((side) => message.you?.[side]);
      const own = me();
      if (own !== null && now.steps.length === 0) flipped = isAbove(game.start.board, own);
      prepare();
    }
    if (past !== null) return;
    if (String(held) === before) company();
    else render();
  }

  /** What depends on who is there. The board stays, and with it a piece that is just taken up. */
  function company() {
    players();
    fill(talk, ...agree());
    crowd.textContent = here?.watching ? `${here.watching} watching.` : '';
  }

  /** What the dice promise, shown again when this browser has kept it. */
  function promise() {
    const kept = Boolean(keptDice(id));
    if (kept !== promised) fill(fair, fairness(now));
    promised = kept;
  }

  /** Says that we are ready, once for each game; what has crossed a change of the other's goes again. */
  function prepare() {
    if (now.end || held.length === 0 || sent === now.version) return;
    if (sure) return act({ do: sure });
    if (now.begun) return;
    const own = me() ?? 0;
    if (!now.apart?.ready[own]) return act({ do: 'begin', salt: salted(id, now.dice) });
    if (arranged && now.apart.arranged && !now.apart.arranged[own]) act({ do: 'arrange', setup: arranged });
  }

  /** Shows a new view with what has moved since the last. @param {Room} next */
  async function arrive(next) {
    const fresh = next.steps.length - now.steps.length;
    const led = next.apart?.next;
    if (led && !now.apart?.next && key && held.length) {
      remember(led, key);
      return go(`/room/${led}`);
    }
    if (next.end || (asked === 'abort' && bothMoved(next))) asked = null;
    now = next;
    // What is drawn already stays, and with it a piece that is just taken up.
    if (past !== null || next.version === seen) return;
    const last = lastMove(next);
    if (fresh === 1 && last) {
      knock();
      render(false);
      await view.slide(last);
    }
    seen = next.version;
    tumbling = isFresh();
    render();
    const step = next.steps[next.steps.length - 1];
    if (explained && fresh === 1 && next.players[step.side].kind === 'agent') explain(step);
    await settle();
  }

  /** The roll as it fell, of which the scene has what is left. */
  function fallen() {
    const { scene, steps, rest } = now;
    return rest ? (steps.findLast((step) => !step.rest)?.roll ?? scene.roll) : scene.roll;
  }

  /** Whether there is a roll that was not seen yet. */
  const isFresh = () => Boolean(now.scene.roll) && now.begun && !now.end && rollNumber(now) > seenRoll;

  /** The dice of the view, tumbling if they are new. */
  async function settle() {
    const { scene, end, begun } = now;
    const idle = end !== null || !begun;
    const number = rollNumber(now);
    const roll = idle ? null : fallen();
    const fresh = isFresh();
    if (fresh) rattle();
    seenRoll = Math.max(seenRoll, number);
    await rolled.show(roll, faces, fresh ? `${number} ${roll}` : '', idle ? null : scene.roll);
    if (tumbling) {
      tumbling = false;
      if (past === null) render();
    }
    const only = mine() && scene.moves.length === 1 ? scene.moves[0] : null;
    if (only?.from === null) pass(only);
  }

  /** A side that cannot move sees its roll, and passes. @param {Move} move */
  function pass(move) {
    clearTimeout(passing);
    const { version } = now;
    passing = setTimeout(() => {
      if (now.version === version && mine()) act({ do: 'move', move: move.text });
    }, PASSING);
  }

  /** @param {Room} view @returns {Move | null} */
  function lastMove({ steps, scene }) {
    const step = steps[steps.length - 1];
    return step ? squares(scene.board, step.move) : null;
  }

  const mine = () => held.includes(now.scene.side) && !now.end && past === null;
  /** Whether our pieces are to be arranged. */
  const arranges = () => {
    const own = me();
    return Boolean(!now.begun && !now.end && now.apart?.arranged && own !== null && !now.apart.arranged[own] && !arranged);
  };

  /** The board while both arrange: nobody sees the pieces of the other. */
  function arrangeBoard() {
    arranging ??= structuredClone(now.scene.board);
    const own = me();
    const board = structuredClone(arranging);
    for (const square of board.squares) if (square.piece?.side !== own) delete square.piece;
    const free = arranges();
    view.show(board, {
      label: free ? 'Set-up: choose a piece, then one to exchange it with' : 'The board at the start',
      sides: game.sides,
      flipped,
      drop: free ? (from, to) => Boolean(board.squares[from].piece && board.squares[to].piece) : undefined,
      put: (from, to) => {
        if (arranging) exchange(arranging, from, to);
        arrangeBoard();
      },
    });
  }

  function render(live = true) {
    const { scene, steps, end } = now;
    const turn = live && mine() && !tumbling;
    const moves = turn ? scene.moves : [];
    if (now.apart?.arranged && !now.begun && !end) arrangeBoard();
    else view.show(scene.board, {
      label: `${game.title}, the board`,
      sides: game.sides,
      flipped,
      moves,
      play: (chosen) => (chosen.length === 1 ? act({ do: 'move', move: chosen[0].text }) : ask(chosen)),
      last: lastMove(now),
    });
    offer(turn);
    fill(talk, ...agree());
    invite();
    fill(status, ...words());
    players();
    moveList();
    promise();
    marks.textContent = now.taken_back ? 'A game with take-backs.' : '';
    fill(banner, ...(end ? [h('h2', {}, ending(game, end))] : []));
    banner.classList.toggle('shown', Boolean(end));
    fill(
      actions,
      ...running(),
      end && me() !== null && now.apart && !now.apart.next && !now.apart.offer && h('button', { type: 'button', class: 'primary', onclick: () => act({ do: 'offer', what: 'rematch' }) }, 'Rematch'),
      end && now.apart?.next && h('a', { class: 'button primary', href: `/room/${now.apart.next}` }, 'To the rematch'),
      end && !now.apart && h('a', { class: 'button primary', href: `/?game=${now.game}` }, 'Play again'),
      end && now.steps.length > 0 && h('a', { class: 'button', href: `/review/${id}` }, 'Review'),
      end && now.dice.kind === 'fair' && h('a', { class: 'button', href: `/dice/${id}` }, 'Check the dice'),
    );
    fill(
      more,
      h('a', { class: 'button', href: analysis(now.game, scene.position) }, 'Analyse'),
      h('button', { type: 'button', onclick: turnBoard }, 'Turn the board'),
      h('a', { class: 'button', href: `/api/rooms/${id}/record`, download: '' }, 'Save'),
      opposed && h('button', { type: 'button', 'aria-pressed': String(explained), onclick: explainAll }, 'Explain its moves'),
    );
    entitle(titled(turn), game.title);
    if (live && !tumbling) say([...status.childNodes].map(({ textContent }) => textContent?.trim()).join('. '));
    if (steps.length === 0) why.textContent = '';
  }

  /** What can be done while the game goes on. */
  function running() {
    const { end, begun, apart, steps, clock, undo } = now;
    if (end || held.length === 0) return [];
    const own = me();
    if (asked) {
      const words = { resign: 'Resign this game?', abort: 'Break the game off?' }[asked];
      const yes = { resign: 'Yes, resign', abort: 'Yes, break it off' }[asked];
      return [h('span', { class: 'offer-title' }, words), h('button', { type: 'button', class: 'primary', onclick: () => { sure = asked; prepare(); } }, yes), question(null, 'No, play on')];
    }
    const own_move = steps.some(({ side }) => side === own);
    const back = apart
      ? h('button', { type: 'button', disabled: !own_move || Boolean(clock || apart.offer), onclick: () => act({ do: 'offer', what: 'take-back' }) }, 'Ask to take back')
      : h('button', { type: 'button', disabled: !undo, onclick: () => act({ do: 'undo' }) }, 'Take back');
    const early = apart && !bothMoved(now);
    return [begun && back, early ? question('abort', 'Break off') : begun && question('resign', 'Resign')];
  }

  /** A button that asks, or takes the question back. @param {'resign' | 'abort' | null} what @param {string} text */
  const question = (what, text) =>
    h('button', {
      type: 'button',
      onclick: () => {
        asked = what;
        render();
        if (what) /** @type {HTMLElement | null} */ (actions.querySelector('.primary'))?.focus();
      },
    }, text);

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;

  /** What one proposes to the other, or can claim. */
  function agree() {
    const own = me();
    if (!now.apart) return [];
    if (own === null) return [h('span', { class: 'soft' }, 'You are watching.')];
    clearTimeout(waiting);
    const left = untilClaim(now, own, here, heard);
    if (left) waiting = setTimeout(() => past === null && company(), left + 50);
    if (left === 0 && !now.apart.offer) {
      const claim = (/** @type {string} */ what, /** @type {string} */ text) => h('button', { type: 'button', onclick: () => act({ do: 'claim', what }) }, text);
      return [h('span', { class: 'offer-title' }, 'The other person has been away for long.'), claim('win', 'Claim the win'), claim('draw', 'Call it a draw')];
    }
    if (arranges()) {
      return [h('span', { class: 'offer-title' }, 'Drag one cube onto another to exchange them.'),
        h('button', { type: 'button', onclick: () => { if (arranging) shuffleSide(arranging, own); arrangeBoard(); } }, 'Shuffle'),
        h('button', { type: 'button', class: 'primary', onclick: () => { if (arranging) arranged = setupText(game, own, arranging); render(); prepare(); } }, 'Done')];
    }
    return proposal(now, game, own, act);
  }

  /** The invitation, as long as a seat is open. */
  function invite() {
    const open = now.apart && now.apart.open !== null && !now.end;
    if (!open) fill(inviting);
    else if (!inviting.firstChild) fill(inviting, invitation(id));
  }

  function explainAll() {
    explained = !explained;
    localStorage.setItem(EXPLAINED, explained ? 'on' : 'off');
    const last = now.steps.findLast((step) => now.players[step.side].kind === 'agent');
    if (explained && last) explain(last);
    else why.textContent = '';
    render();
  }

  function turnBoard() {
    flipped = !flipped;
    if (past === null) render();
    else void showPast(past);
  }

  /** Moves that no two squares name, and rolls that are typed in. @param {boolean} turn */
  function offer(turn) {
    const { scene } = now;
    const typing = now.dice.kind === 'typed' && now.begun && !now.end && !scene.roll && past === null && (now.apart ? mine() : held.length > 0);
    const plain = scene.moves.filter(({ from }) => from === null);
    if (typing) {
      fill(offers, h('span', { class: 'offer-title' }, `What has ${game.sides[scene.side]} rolled?`), ...rollButtons(scene.rolls, null, ({ roll }) => act({ do: 'roll', roll })));
    } else if (turn && scene.moves.length === 1 && plain.length) {
      fill(offers, h('span', { class: 'offer-title soft' }, 'No piece can move with this roll; the turn passes.'));
    } else if (turn && plain.length) {
      fill(offers, ...plain.map(({ text }) => h('button', { type: 'button', onclick: () => act({ do: 'move', move: text }) }, capital(unsquared(text)))));
    } else fill(offers);
  }

  /** Asks which of several moves between the same squares is meant. @param {Move[]} moves */
  function ask(moves) {
    const choice = (/** @type {Move} */ { text }) => {
      const letter = text.slice(-1);
      const name = kind(letter);
      return h('button', { type: 'button', onclick: () => act({ do: 'move', move: text }) }, name ? inline(letter) : '', name ? capital(name) : text);
    };
    fill(offers, h('span', { class: 'offer-title' }, 'What does it become?'), ...moves.map(choice));
    offers.querySelector('button')?.focus();
  }

  /** What a game that has not begun waits for. */
  function before() {
    const { apart } = now;
    if (arranges()) return h('b', {}, `Arrange your pieces: you are ${game.sides[me() ?? 0]}`);
    if (!apart) return 'The game has not begun.';
    return apart.open !== null ? 'Waiting for the other person.' : apart.arranged && !apart.arranged.every(Boolean) ? 'Both arrange their pieces, unseen by the other.' : 'Both are here; the game begins.';
  }

  /** What the title says of the game. @param {boolean} turn whether somebody here is to move */
  function titled(turn) {
    const { scene, end, begun } = now;
    if (end) return ending(game, end).replace(/\.$/, '');
    if (!begun) return 'Before the game';
    return turn && me() !== null ? 'Your turn' : `${capital(game.sides[scene.side])} to move`;
  }

  function words() {
    const { scene, end, begun } = now;
    const side = capital(game.sides[scene.side]);
    if (end) return [`After ${now.steps.length} moves${now.taken_back ? ', with take-backs' : ''}.`];
    if (!begun) return [before()];
    const player = now.players[scene.side];
    const own = me() === scene.side ? 'Your turn' : `${side} to move`;
    const who = player.kind === 'person' ? own : `${named(game, player)} thinks …`;
    if (!scene.roll || tumbling) return [h('b', {}, `${side} rolls`)];
    const left = now.rest ? `left: ${spoken(scene.roll)}` : `${side} has rolled ${spoken(scene.roll)}`;
    const none = now.void.map(spoken).join(', ');
    return [h('b', {}, who), h('span', { class: 'soft' }, `${capital(left)}.`), none && h('span', { class: 'soft' }, `Before it, with nothing to move: ${none}.`)];
  }

  function players() {
    const { clock, scene, end } = now;
    const order = flipped ? [1, 0] : [0, 1];
    order.forEach((side, place) => {
      // The side whose pieces start below stands below the board.
      const below = isAbove(game.start.board, side) === flipped;
      const card = cards[below ? 1 : 0];
      const turn = !end && now.begun && scene.side === side;
      card.classList.toggle('turn', turn);
      fill(
        card,
        swatch(side),
        h('span', { class: 'player-name' }, capital(game.sides[side])),
        h('span', { class: 'soft' }, me() === side ? 'You' : now.apart ? presence(now, side, here) : named(game, now.players[side])),
        clock && h('time', { class: `clock${clock.left_ms[side] < LOW ? ' low' : ''}`, 'data-side': String(side) }, minutes(clock.left_ms[side])),
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
    if (!face) return;
    face.textContent = minutes(now.clock.left_ms[side]);
    face.classList.toggle('low', now.clock.left_ms[side] < LOW);
  }, 250);

  /** The moves, those of one roll in one line. */
  function moveList() {
    /** @type {{ step: ShownStep, number: number }[][]} */
    const turns = [];
    now.steps.forEach((step, number) => {
      if (step.rest) turns[turns.length - 1]?.push({ step, number });
      else turns.push([{ step, number }]);
    });
    const made = (/** @type {{ step: ShownStep, number: number }} */ { step, number }) =>
      h('button', {
        type: 'button',
        class: `step${past === number ? ' chosen' : ''}`,
        onclick: () => void showPast(number),
      }, h('span', { class: 'unseen' }, `Move ${number + 1}: ${game.sides[step.side]} `), !step.rest && swatch(step.side), !step.rest && inline(step.roll), h('span', { class: 'move-text' }, unsquared(step.move)), step.value !== undefined && h('span', { class: 'soft', title: `${named(game, now.players[step.side])} expects this for itself` }, percent(step.value)));
    if (!turns.length) return fill(list, h('li', { class: 'soft none' }, 'No moves yet.'));
    opinions.textContent = now.steps.some(({ value }) => value !== undefined) ? 'The percentages are what each agent expected of its own move.' : '';
    fill(list, ...turns.map((turn) => h('li', { class: `turn-of${turn[0].step.side}` }, ...turn.map(made))));
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
    void rolled.show(step.roll, faces);
    fill(offers);
    fill(status, h('b', {}, `Move ${number + 1}`), h('span', { class: 'soft' }, `${capital(game.sides[step.side])} ${step.rest ? 'has left' : 'has rolled'} ${spoken(step.roll)} and plays ${unsquared(step.move)}.`));
    fill(
      actions,
      h('button', { type: 'button', class: 'primary', onclick: () => back() }, 'Back to the game'),
      h('button', { type: 'button', onclick: () => explain(step) }, 'Why?'),
      h('a', { class: 'button', href: analysis(now.game, step.position) }, 'Analyse'),
    );
    fill(more);
    moveList();
  }

  function back() {
    past = null;
    seen = now.version;
    why.textContent = '';
    tumbling = isFresh();
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
      else why.textContent = sentence(game.sides[step.side], step.move, report.moves ?? [], report.agent);
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
      h('div', { class: 'panel' }, banner, h('div', { class: 'roll' }, rolled, status), inviting, talk, offers, problem, actions, why, list, opinions, marks, more, crowd, line, fair),
    ),
  );
  tumbling = isFresh();
  render();
  void settle();
  prepare();
  return () => {
    clearTimeout(waiting);
    socket.close();
    asking?.close();
    clearInterval(ticking);
    clearTimeout(passing);
  };
}

/** The number of the roll that lies there, or comes next. @param {Room} room */
function rollNumber({ steps, rest }) {
  return steps.filter((step) => !step.rest).length + (rest ? 0 : 1);
}

/** What the dice promise. @param {Room} room */
function fairness({ id, dice }) {
  if (dice.kind === 'typed') return null;
  const kept = keptDice(id);
  return h('details', { class: 'fairness' }, h('summary', {}, 'Fair dice'),
    h('p', { class: 'soft' }, kept ? 'All rolls were fixed before the game, by a secret with this hash, and a text that your browser added. It keeps both. After the game the secret is shown and can be checked.' : 'All rolls were fixed before the game, by a secret with this hash and what the players’ browsers added. After the game the secret is shown and can be checked.'),
    h('dl', { class: 'facts' },
      h('dt', {}, 'The hash'), h('dd', {}, h('code', { class: 'hash' }, kept?.commitment ?? dice.commitment)),
      ...(kept ? [h('dt', {}, 'What your browser added'), h('dd', {}, h('code', { class: 'hash' }, kept.salt))] : [])));
}
