// What the analysis looks at: a position, or a board that is no position yet; and what is known of it.

import { editor } from '../../editor.js';
import { rows } from '../../setup.js';

/** The brush that moves pieces; any other one is the letter that is put on squares, empty to take pieces away. */
export const MOVE = 'move';

export class AnalysisState {
  flipped = false;
  /** Whether the board is changed. */
  editing = false;
  brush = MOVE;
  /** What is on the board while it is no position; `rest` are the fields behind the board. @type {{ board: Board, rest: string[] } | null} */
  draft = null;
  /** What is known of the position. @type {Report | null} */
  report = null;
  /** The move that is looked at. @type {string | null} */
  hovered = null;
  /** Counts the questions: only reports on the last one are shown. */
  tag = 0;

  /**
   * @param {Game} game
   * @param {Scene} scene
   * @param {string} agent who scores the moves
   */
  constructor(game, scene, agent) {
    this.game = game;
    this.scene = scene;
    this.agent = agent;
  }

  /** The board and the fields behind it, without the roll. */
  get current() {
    return this.draft ?? { board: this.scene.board, rest: this.scene.at_rest.split(' ').slice(1) };
  }

  /** The text of what is on the board. */
  get written() {
    return this.draft ? [rows(this.draft.board), ...this.draft.rest].join(' ') : this.scene.position;
  }

  /** The best move, if one is known. */
  get best() {
    return this.report?.moves?.[0]?.move ?? null;
  }

  /** Another position takes the place of what was looked at. @param {Scene} scene */
  move(scene) {
    this.scene = scene;
    this.draft = null;
  }

  /** Begins a question, of which nothing is known yet. */
  forget() {
    this.report = null;
    this.tag += 1;
  }

  /** Changes the board; nothing is known of it until the server has seen it. @param {Board} board @param {string[]} rest */
  change(board, rest) {
    this.draft = { board, rest: editor(this.game.name).mend(rest, board) };
    this.hovered = null;
    this.forget();
  }
}
