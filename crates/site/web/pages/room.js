// A game: the board, the dice, the clocks, the moves.
//
// The parts are in `room/`. They show the `RoomState`, and this file tells them when. Actions go through the `Line`
// to the server, which answers with a new view.

import { game as find, get, remember, site, token } from '../api.js';
import { brief } from '../brief.js';
import { fill, h } from '../dom.js';
import { t, titleOf } from '../language.js';
import { knock } from '../sound.js';
import { TreePanel } from '../treepanel.js';
import { Actions } from './room/actions.js';
import { Arrangement } from './room/arrangement.js';
import { Choices } from './room/choices.js';
import { Explanation } from './room/explanation.js';
import { Fairness } from './room/fairness.js';
import { Line } from './room/line.js';
import { bothMoved, takeSide } from './room/people.js';
import { Players } from './room/players.js';
import { Premove } from './room/premove.js';
import { RoomState } from './room/state.js';
import { Table } from './room/table.js';
import { Talk } from './room/talk.js';
import { earlierWords, refusalWords, resultWords, statusWords, titleWords, turnWords } from './room/words.js';
import { dress, ending, entitle, go, say } from './shared.js';

/** For how long a roll without a move is shown before the side passes. */
const PASSING = 1400;

/** @type {Page} */
export async function room(main, [id]) {
  let view = /** @type {Room} */ (await get(`/api/rooms/${encodeURIComponent(id)}`).catch((error) => {
    if (error.status === 404) throw new Error(t('room.missing'));
    throw error;
  }));
  const game = await find(view.game);
  const entry = token(id) ? 'not asked' : await takeSide(view);
  if (entry === 'joined') view = await get(`/api/rooms/${id}`);
  dress(main, game);
  const key = token(id);
  // The game is now the first among those that this browser may go on with.
  if (key && !view.end) remember(id, key);
  const state = new RoomState(game, view, key, (await site()).live_analysis);
  state.refused = entry === 'refused';
  const page = new RoomPage(state);
  fill(main, ...page.elements());
  page.begin();
  return () => page.close();
}

class RoomPage {
  #state;
  #line;
  #arrangement;
  #table;
  #players;
  #choices;
  #talk;
  #actions;
  #explanation;
  #panel;
  #premove;
  #fairness = new Fairness();
  #status = h('p', { class: 'status' });
  #banner = h('div', { class: 'banner' });
  /** Why the piece that was pressed may not move. */
  #refusal = h('p', { class: 'hint', role: 'status' });
  #problem = h('p', { class: 'problem', role: 'alert' });
  #connection = h('p', { class: 'soft line' });
  #crowd = h('p', { class: 'soft' });
  #marks = h('p', { class: 'soft' });
  /** The version of the view that is drawn. */
  #drawn;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #passing;
  /** The meaning of the percentages in the list of moves, if there are any. */
  #opinions = h('p', { class: 'soft opinions' });

  /** @param {RoomState} state */
  constructor(state) {
    this.#state = state;
    this.#drawn = state.room.version;
    const act = (/** @type {import('./room/line.js').Action} */ action) => this.#line.act(action);
    const play = (/** @type {Move[]} */ moves) => (moves.length === 1 ? act({ do: 'move', move: moves[0].text }) : this.#choices.ask(moves));
    this.#arrangement = new Arrangement(state);
    const refuse = (/** @type {number} */ square) => {
      this.#refusal.textContent = refusalWords(state, square);
    };
    this.#premove = new Premove(state, () => this.#render());
    this.#table = new Table(state, this.#arrangement, play, refuse, this.#premove);
    this.#players = new Players(state);
    this.#choices = new Choices(state, act, () => this.#render());
    this.#explanation = new Explanation(state);
    this.#panel = new TreePanel({
      game: () => state.game, tree: () => state.tree, board: this.#table.board, isFair: () => state.fair,
      result: () => (state.room.end?.reason === 'aborted' ? undefined : state.room.end?.result),
      show: () => (state.earlier ? this.#keepFocus(() => this.#showEarlier()) : this.#back()),
      turn: () => {
        state.flipped = !state.flipped;
        this.#render();
      },
    });
    this.#talk = new Talk(state, this.#arrangement, {
      act,
      moved: () => this.#table.arrange(),
      arranged: () => {
        this.#render();
        this.#line.prepare();
      },
      wait: () => this.#showCompany(),
    });
    this.#actions = new Actions(state, {
      act,
      confirm: (what) => this.#line.confirm(what),
      draw: () => this.#render(),
      premove: this.#premove,
      explain: () => {
        this.#explanation.toggle();
        this.#render();
      },
      why: () => {
        const { parent, side, move } = state.tree.current;
        if (parent?.position && move) this.#explanation.explain({ position: parent.position, side, move });
      },
      back: () => void this.#panel.visit(state.tree.last),
    });
    this.#line = new Line(state, this.#arrangement, {
      view: (view) => this.#arrive(view),
      presence: (message) => this.#meet(message),
      problem: (words) => this.#complain(words),
      connection: (open) => {
        state.connected = open;
        this.#connection.textContent = open ? '' : t('room.lost');
        this.#players.show();
      },
    });
  }

  elements() {
    const [table, players, talk, actions, panel] = [this.#table, this.#players, this.#talk, this.#actions, this.#panel];
    return [
      h('h1', { class: 'unseen' }, titleOf(this.#state.game)),
      h(
        'div',
        { class: 'table room' },
        h('div', { class: 'board-side' }, players.above, table.board, players.below),
        h(
          'div',
          { class: 'panel' },
          this.#banner,
          h('div', { class: 'roll' }, table.dice, this.#status),
          this.#refusal,
          talk.inviting, talk.element, this.#choices.element, this.#problem, actions.element, this.#explanation.element,
          panel.list, panel.walker, this.#opinions, this.#marks, panel.element, actions.more, this.#about(), this.#crowd, this.#connection, this.#fairness.element,
        ),
      ),
    ];
  }

  /** What the game is, for those who see it for the first time. */
  #about() {
    const { game } = this.#state;
    const { aim, corners, differs } = brief(game);
    return h('details', { class: 'about' }, h('summary', {}, t('room.how')), h('p', {}, aim), differs && h('p', {}, differs), corners && h('p', {}, corners), h('p', {}, h('a', { href: `/learn?game=${game.name}` }, t('room.rules'))));
  }

  begin() {
    const state = this.#state;
    this.#render();
    void this.#settle();
    this.#line.prepare();
  }

  close() {
    clearTimeout(this.#passing);
    this.#panel.close();
    this.#line.close();
    this.#talk.close();
    this.#explanation.close();
    this.#players.close();
  }

  /** @param {string} words */
  #complain(words) {
    this.#problem.textContent = words;
    if (words) this.#render();
  }

  /** @param {Presence} message */
  #meet(message) {
    const changed = this.#state.meet(message);
    if (message.you) this.#line.prepare();
    if (changed && !this.#state.earlier) this.#render();
    else this.#showCompany();
  }

  /** Shows a new view, and animates what has changed since the last one. @param {Room} next */
  async #arrive(next) {
    const state = this.#state;
    const { steps, apart, end } = state.room;
    const led = next.apart?.next;
    if (led && !apart?.next && state.key && state.held.length) {
      remember(led, state.key);
      go(`/room/${led}`);
      return;
    }
    if (next.end || (state.asked === 'abort' && bothMoved(next))) state.asked = null;
    const concerns = (next.end && !end) || (next.steps.length !== steps.length && state.held.includes(next.scene.side));
    const { earlier } = state;
    state.take(next);
    // A view that is shown already is not redrawn, so that a selected piece stays selected.
    if (next.version === this.#drawn) return;
    if (earlier) {
      // Whoever has to move, or whose game has ended, is brought back to it. Others may go on looking at earlier moves.
      if (!(concerns && state.held.length) && state.earlier) {
        this.#drawn = next.version;
        this.#keepFocus(() => this.#showStanding(false));
        return;
      }
      state.tree.go(state.tree.last);
      this.#explanation.clear();
    }
    const moved = next.steps.length - steps.length === 1;
    const last = state.lastMove();
    // The new roll is shown by the dice and told in words only when the last move has been shown.
    state.tumbling = state.isFresh();
    if (moved && last) {
      knock();
      this.#render(false);
      await this.#table.board.slide(last);
    }
    this.#drawn = next.version;
    this.#render();
    const step = next.steps[next.steps.length - 1];
    if (this.#explanation.always && state.fair && moved && next.players[step.side].kind === 'agent') this.#explanation.explain(step);
    await this.#settle();
  }

  /** Waits until the dice are at rest, and passes for a side that cannot move. */
  async #settle() {
    await this.#table.roll();
    if (this.#state.tumbling) {
      this.#state.tumbling = false;
      if (!this.#state.earlier) this.#render();
    }
    const due = this.#premove.due();
    if (due?.length === 1) return this.#line.act({ do: 'move', move: due[0].text });
    if (due) {
      if (due.length) this.#choices.ask(due);
      else this.#refusal.textContent = t('room.premove');
    }
    const { typed, mine, pass } = this.#state;
    // Dice that were typed in may have been mistyped, and can be corrected until the side passes by itself.
    if (pass && mine && !typed) this.#pass(pass);
  }

  /** Shows the roll of a side that cannot move, and passes. @param {Move} move */
  #pass(move) {
    clearTimeout(this.#passing);
    const { version } = this.#state.room;
    this.#passing = setTimeout(() => {
      const { room, mine } = this.#state;
      if (room.version === version && mine) this.#line.act({ do: 'move', move: move.text });
    }, PASSING);
  }

  /** Announces the last move, how the game ended, and the state of the game. */
  #say() {
    const { game, room } = this.#state;
    const status = [...this.#status.childNodes].map(({ textContent }) => textContent?.trim());
    const words = [turnWords(game, room), resultWords(this.#state), room.end && ending(game, room.end, room.scene), ...status].filter(Boolean);
    say(words.map((part) => String(part).replace(/[.。]$/, '')).join('. '));
  }

  /** Redraws a part of the page. If the control with the focus is gone then, the focus goes to the board. @param {() => void} draw */
  #keepFocus(draw) {
    const focused = document.activeElement;
    draw();
    if (focused && !focused.isConnected && document.activeElement === document.body) this.#table.board.enter();
  }

  /** Redraws everything. @param {boolean} [live] whether moves can be made */
  #render(live = true) {
    this.#keepFocus(() => this.#draw(live));
  }

  /** @param {boolean} live whether moves can be made */
  #draw(live) {
    const state = this.#state;
    if (state.earlier) return this.#showEarlier();
    const { room } = state;
    const turn = live && state.mine && !state.tumbling;
    this.#refusal.textContent = '';
    this.#table.show(turn ? room.scene.moves : []);
    this.#choices.show(turn);
    this.#talk.invite();
    this.#table.dice.hidden = Boolean(room.end) || !room.begun;
    fill(this.#status, ...statusWords(state, this.#arrangement.isOurs));
    this.#showStanding(turn);
    this.#actions.show(this.#explanation.always);
    if (live && !state.tumbling) this.#say();
    if (room.steps.length === 0) this.#explanation.clear();
  }

  /** Redraws what tells how the game stands, whichever of its moves is shown. @param {boolean} turn whether somebody here is to move */
  #showStanding(turn) {
    const { game, room } = this.#state;
    this.#showCompany();
    this.#panel.show();
    this.#opinions.textContent = room.steps.some(({ value }) => value !== undefined) ? t('room.percentages') : '';
    this.#fairness.show(room);
    this.#marks.textContent = room.taken_back ? t('room.backs') : '';
    fill(this.#banner, ...this.#result());
    this.#banner.classList.toggle('shown', Boolean(room.end));
    entitle(titleWords(this.#state, turn), titleOf(game));
  }

  /** How the game ended: for a player first whether they have won, for others who has. */
  #result() {
    const { game, room } = this.#state;
    if (!room.end) return [];
    const [own, words] = [resultWords(this.#state), ending(game, room.end, room.scene)];
    return own ? [h('h2', {}, own), h('p', { class: 'soft' }, words)] : [h('h2', {}, words)];
  }

  /** Redraws what depends on who is present. The board is not redrawn, so that a selected piece stays selected. */
  #showCompany() {
    const { here } = this.#state;
    this.#players.show();
    this.#talk.show();
    this.#crowd.textContent = here?.watching ? t('room.watching', { count: here.watching }) : '';
  }

  /** Shows an earlier position. The game goes on meanwhile. */
  #showEarlier() {
    const { game, tree } = this.#state;
    this.#table.dice.hidden = !tree.current.scene?.roll;
    this.#table.showEarlier(() => void this.#panel.visit(tree.last));
    this.#choices.clear();
    this.#refusal.textContent = '';
    fill(this.#status, ...earlierWords(game, tree.current));
    this.#actions.show(this.#explanation.always);
    this.#showStanding(false);
  }

  /** Shows the game again as it stands. */
  #back() {
    this.#drawn = this.#state.room.version;
    this.#explanation.clear();
    this.#state.tumbling = this.#state.isFresh();
    this.#render();
    void this.#settle();
  }
}
