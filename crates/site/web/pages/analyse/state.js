// The state of the analysis: a position, or an edited board that is not a position yet, and its values.

import { isAbove } from '../../board.js';
import { editor } from '../../editor.js';
import { rows } from '../../setup.js';

/** The brush that moves pieces. Any other brush is the letter of the piece that it places, or empty to remove pieces. */
export const MOVE = 'move';

export class AnalysisState {
  /** Whether the board is being edited. */
  editing = false;
  brush = MOVE;
  /** The edited board while it is not a position; `rest` has the fields behind the board. @type {{ board: Board, rest: string[] } | null} */
  draft = null;
  /** The last report on the position. @type {Report | null} */
  report = null;
  /** The moves that are highlighted: one move, or those of a whole turn. @type {string[] | null} */
  hovered = null;
  /** The number of the last request. Reports on earlier ones are ignored. */
  tag = 0;

  /**
   * @param {Game} game
   * @param {Scene} scene
   * @param {string} agent the agent that evaluates the moves
   */
  constructor(game, scene, agent) {
    this.game = game;
    this.scene = scene;
    this.agent = agent;
    /** Whether the board is flipped: at first it shows the first side below, as everywhere. */
    this.flipped = isAbove(game.start.board, 0);
  }

  /** The board and the fields behind it, without the roll. */
  get current() {
    return this.draft ?? { board: this.scene.board, rest: this.scene.at_rest.split(' ').slice(1) };
  }

  /** Whether the turn has begun, so that fewer dice are left than were rolled. */
  get begun() {
    const dice = Math.max(...this.game.faces.map(({ roll }) => roll.length));
    return this.scene.roll !== null && this.scene.roll.length < dice;
  }

  /** The position as text. */
  get written() {
    return this.draft ? [rows(this.draft.board), ...this.draft.rest].join(' ') : this.scene.position;
  }

  /** The best whole turn where whole turns are compared, otherwise the best move; null while neither is known. @type {string[] | null} */
  get best() {
    const move = this.report?.moves?.[0]?.move;
    return this.report?.turns?.[0].moves ?? (move === undefined ? null : [move]);
  }

  /** Replaces the position. @param {Scene} scene */
  move(scene) {
    this.scene = scene;
    this.draft = null;
  }

  /** Begins a request, which has no report yet. */
  forget() {
    this.report = null;
    this.tag += 1;
  }

  /** Changes the board. It has no values until the server has read it. @param {Board} board @param {string[]} rest */
  change(board, rest) {
    this.draft = { board, rest: editor(this.game.name).mend(rest, board) };
    this.hovered = null;
    this.forget();
  }
}
