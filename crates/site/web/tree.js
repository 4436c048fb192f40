// A game as a tree: the positions that were reached, by rolls and moves, and others that were tried. It knows no rules:
// positions come from the server.

/**
 * @typedef {object} Place a position of the tree
 * @property {Scene} scene
 * @property {string | null} move the move that led here; null at the root, and where a roll was chosen
 * @property {string | null} roll the whole roll of that move's turn
 * @property {boolean} rest whether the move continues a turn
 * @property {number} turn how many turns have begun before this position
 * @property {Place | null} parent
 * @property {Place[]} children the first is the main line
 * @property {number} next the child that was visited last
 */

export class GameTree {
  /** @param {Scene} scene where the game begins */
  constructor(scene) {
    /** @type {Place} */
    this.root = { scene, move: null, roll: null, rest: false, turn: 0, parent: null, children: [], next: 0 };
    /** The position that is shown. */
    this.current = this.root;
  }

  /**
   * Goes from the current position to another one, which is added unless it is there.
   * @param {Scene} scene
   * @param {string | null} move the move that leads there; null if only the roll is another one
   */
  add(scene, move) {
    const from = move === null ? this.#unrolled() : this.current;
    if (move === null && from.scene.position === scene.position) return this.go(from);
    const known = from.children.find((child) => child.move === move && child.scene.position === scene.position);
    if (known) return this.go(known);
    const rest = move !== null && from.move !== null && from.scene.roll !== null;
    const turn = from.turn + (move !== null && !rest ? 1 : 0);
    const roll = move === null ? null : rest ? from.roll : from.scene.roll;
    const place = { scene, move, roll, rest, turn, parent: from, children: [], next: 0 };
    from.children.push(place);
    this.go(place);
  }

  /** The current position before a roll was chosen. @returns {Place} */
  #unrolled() {
    const { current } = this;
    return current.move === null && current.parent ? current.parent : current;
  }

  /** Goes to a position of the tree. @param {Place} place */
  go(place) {
    this.current = place;
    for (const step of path(place)) if (step.parent) step.parent.next = step.parent.children.indexOf(step);
  }

  /** The positions from the beginning through the current one to the end of its line. @returns {Place[]} */
  line() {
    const line = path(this.current);
    for (let last = this.current.children[this.current.next]; last; last = last.children[last.next]) line.push(last);
    return line;
  }

  /** The place of a position, if it is in the tree. @param {string} position @returns {Place | undefined} */
  find(position) {
    const open = [this.root];
    for (let place = open.pop(); place; place = open.pop()) {
      if (place.scene.position === position) return place;
      open.push(...place.children);
    }
    return undefined;
  }
}

/** The positions from the root to a place. @param {Place} place @returns {Place[]} */
function path(place) {
  /** @type {Place[]} */
  const steps = [];
  for (let step = /** @type {Place | null} */ (place); step; step = step.parent) steps.unshift(step);
  return steps;
}
