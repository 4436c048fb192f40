// A game as a tree: the positions that were reached, by rolls and moves, and others that were tried. It knows no rules:
// positions come from the server, and a place whose position was not asked for yet has no scene.

/**
 * @typedef {object} Place a position of the tree
 * @property {Scene | null} scene
 * @property {string | null} position its text with the roll that fell there, if it is known
 * @property {string | null} move the move that led here; null at the root, and where a roll was chosen
 * @property {string | null} roll the whole roll of that move's turn
 * @property {boolean} rest whether the move continues a turn
 * @property {number} side the side that made it
 * @property {number} turn how many turns have begun before this position
 * @property {number} [value] what the agent that made it expected of it
 * @property {string} [mark] how bad it was
 * @property {string} comment
 * @property {Place | null} parent
 * @property {Place[]} children the first is the main line
 * @property {number} next the child that was visited last
 */

/** @typedef {Pick<Place, 'move' | 'roll' | 'rest'> & Partial<Place>} Step */

export class GameTree {
  /** @param {Scene} scene where the game begins */
  constructor(scene) {
    /** @type {Place} */
    this.root = { scene, position: scene.position, move: null, roll: null, rest: false, side: 1 - scene.side, turn: 0, comment: '', parent: null, children: [], next: 0 };
    /** The position that is shown. */
    this.current = this.root;
  }

  /** The end of the main line. */
  get last() {
    let last = this.root;
    while (last.children.length) [last] = last.children;
    return last;
  }

  /**
   * Goes from the current position to another one, which is added unless it is there.
   * @param {Scene} scene
   * @param {string | null} move the move that leads there; null if only the roll is another one
   */
  add(scene, move) {
    const from = move === null ? this.#unrolled() : this.current;
    if (move === null && from.position === scene.position) return this.go(from);
    const rest = move !== null && isBegun(from);
    const roll = move === null ? null : rest ? from.roll : (from.scene?.roll ?? null);
    const known = from.children.find((child) => child.move === move && (move === null ? child.position === scene.position : rest || child.roll === roll));
    if (known) {
      // In a game that was played, the next roll is known there, too.
      if (known.position === null || known.position === scene.position) Object.assign(known, { scene, position: scene.position });
      return this.go(known);
    }
    this.go(append(from, { scene, position: scene.position, move, roll, rest, side: move === null ? from.side : from.scene?.side }));
  }

  /** The current position before a roll was chosen. @returns {Place} */
  #unrolled() {
    const { current } = this;
    return current.move === null && current.parent ? current.parent : current;
  }

  /**
   * Makes the main line that of a game which goes on; what was taken back is dropped. Whoever looks at its end goes on
   * with it.
   * @param {(Step & { position: string })[]} steps the moves, each with the position before it
   * @param {Scene | null} scene the position after them, if it is known
   */
  follow(steps, scene) {
    const isLive = this.current === this.last;
    let place = this.root;
    for (const step of steps) {
      stand(place, step.position);
      const [known] = place.children;
      if (known?.move !== step.move || known.roll !== step.roll) place.children = [];
      place = place.children[0] ?? append(place, { ...step, position: null });
      if (step.value !== undefined) place.value = step.value;
    }
    place.children = [];
    if (scene) Object.assign(place, { position: scene.position, scene });
    if (isLive || !this.#has(this.current)) this.go(place);
  }

  /**
   * Adds the moves of a record, with its comments and variations.
   * @param {Pick<GameRecord, 'moves' | 'comments' | 'variations'>} record
   * @param {string[]} [positions] those between the moves, if they are known
   */
  grow(record, positions = []) {
    const line = lay(this.root, record);
    positions.forEach((position, n) => stand(line[n], position));
  }

  /** @param {Place} place */
  #has(place) {
    const steps = path(place);
    return steps[0] === this.root && steps.every((step) => !step.parent || step.parent.children.includes(step));
  }

  /** Goes to a position of the tree. @param {Place} place */
  go(place) {
    this.current = place;
    for (const step of path(place)) if (step.parent) step.parent.next = step.parent.children.indexOf(step);
  }

  /** Removes the current position with everything after it, and goes to the one before. */
  cut() {
    const { current: { parent }, current } = this;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== current);
    parent.next = 0;
    this.go(parent);
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
      if (place.position === position) return place;
      open.push(...place.children);
    }
    return undefined;
  }

  /** The line that is shown as a list of rolls and moves. @param {string} [ended] how the game ended, if not by the rules */
  text(ended) {
    const line = this.line();
    const last = line[line.length - 1];
    const result = last.scene?.result ?? (last === this.last ? ended : undefined);
    return [this.root.scene?.at_rest, ...words(line), ...(result ? [result] : [])].join(' ');
  }

  /** The tree as the part of a record that holds moves. */
  record() {
    const { comment: text } = this.root;
    const { moves, comments = [], variations } = noted(this.root);
    return { start: this.root.scene?.at_rest ?? '', moves, comments: [...(text ? [{ after: 0, text }] : []), ...comments], variations };
  }
}

/** Whether a turn has begun at a place and goes on. @param {Place} place */
const isBegun = ({ move, side, scene }) => move !== null && Boolean(scene?.roll) && side === scene?.side;

/**
 * The position in which a move was made, as far as its scene is known.
 * @param {Place} place
 * @returns {string | undefined} undefined where the roll cannot fall
 */
export function before({ parent, roll, rest }) {
  const scene = parent?.scene;
  if (!parent || !scene) return undefined;
  if (rest || isBegun(parent) || scene.roll === roll) return scene.position;
  return scene.rolls.find((known) => known.roll === roll)?.position;
}

/** @param {Place} parent @param {Step} step */
function append(parent, step) {
  const turn = parent.turn + (step.move !== null && !step.rest ? 1 : 0);
  const place = { scene: null, position: null, comment: '', children: [], next: 0, side: step.rest ? parent.side : 1 - parent.side, ...step, turn, parent };
  parent.children.push(place);
  return place;
}

/** Notes the position of a place with the roll that has fallen. @param {Place} place @param {string} position */
function stand(place, position) {
  if (place.scene?.position !== position) place.scene = null;
  place.position = position;
}

/** The moves of a line with their rolls, each roll once. @param {Place[]} line */
const words = (line) => line.flatMap(({ move, roll, rest }) => (move === null ? [] : rest ? [move] : [`@${roll}`, move]));

/** Lays a line behind a place. @param {Place} from @param {Pick<GameRecord, 'moves' | 'comments' | 'variations'>} line @returns {Place[]} its places, from that one on */
function lay(from, { moves, comments = [], variations = [] }) {
  const line = [from];
  let roll = from.roll;
  let rest = true;
  for (const word of moves.split(' ').filter(Boolean)) {
    const place = line[line.length - 1];
    if (word.startsWith('@')) [roll, rest] = [word.slice(1), false];
    else {
      const known = place.children.find((child) => child.move === word && (rest || child.roll === roll));
      line.push(known ?? append(place, { move: word, roll, rest }));
      rest = true;
    }
  }
  for (const { after, text } of comments) if (line[after]) line[after].comment = text;
  for (const variation of variations) if (line[variation.after]) lay(line[variation.after], variation);
  return line;
}

/**
 * What comes after a place on its main line.
 * @param {Place} from
 * @param {Place} [first] the first place of a variation instead
 * @returns {Variation}
 */
function noted(from, first) {
  /** @type {Place[]} */
  const line = [];
  /** @type {Variation} */
  const found = { after: 0, moves: '', comments: [], variations: [] };
  let after = 0;
  for (let place = first ?? from.children[0]; place; [place] = place.children) {
    const { parent } = place;
    const others = place === first ? [] : (parent?.children ?? []).slice(1);
    for (const other of others) {
      const variation = noted(/** @type {Place} */ (parent), other);
      if (variation.moves) found.variations?.push({ ...variation, after });
    }
    line.push(place);
    if (place.move !== null) after += 1;
    if (place.comment) found.comments?.push({ after, text: place.comment });
  }
  return { ...found, moves: words(line).join(' ') };
}

/** The positions from the root to a place. @param {Place} place @returns {Place[]} */
export function path(place) {
  /** @type {Place[]} */
  const steps = [];
  for (let step = /** @type {Place | null} */ (place); step; step = step.parent) steps.unshift(step);
  return steps;
}
