// The engine on this device, in a worker: a page stands still while its engine searches. It answers what a server
// answers under the same addresses, once or, for an analysis and a rollout, in one report after the other.

/** The least time for a report in seconds; a report of an analysis gets as much time as all before it. */
const FIRST = 0.06;
/** The time between two reports of a rollout in seconds. */
const SLICE = 0.5;

/** The module, once it is wanted. @type {Promise<any> | undefined} */
let engine;
/** The address of the module. */
let address = '';
/** The site of this visitor, and its rooms with their records. @type {any} */
let site;
/** @type {Map<string, { room: any, record: string }>} */
const rooms = new Map();
/** The number of rooms that are kept: any other one is opened again from its record. */
const MAX_ROOMS = 4;
/** The number of the last question that is answered by several reports. */
let wanted = 0;

/** @param {string} module */
async function load(module) {
  address = module;
  const found = await import(module);
  await found.default();
  site = new found.Site();
  return found;
}

/**
 * The result of work, for which each file of parameters is loaded that it turns out to need.
 * @template T
 * @param {() => T} work
 * @returns {Promise<T>}
 */
async function withFiles(work) {
  for (;;) {
    try {
      return work();
    } catch (error) {
      const { file } = /** @type {any} */ (error);
      if (!file) throw error;
      const response = await fetch(new URL(file, address)).catch(() => undefined);
      if (!response?.ok) throw Object.assign(new Error(`the file ${file} cannot be loaded`), { unloaded: true });
      (await /** @type {Promise<any>} */ (engine)).provide(file, new Uint8Array(await response.arrayBuffer()));
    }
  }
}

/** Keeps a room, in place of the one that was kept longest. @param {string} id @param {{ room: any, record: string }} known */
function hold(id, known) {
  rooms.get(id)?.room.free();
  rooms.delete(id);
  rooms.set(id, known);
  const [oldest, { room }] = /** @type {[string, { room: any }]} */ (rooms.entries().next().value);
  if (rooms.size <= MAX_ROOMS) return;
  rooms.delete(oldest);
  room.free();
}

/** A room by its name, as its record says. @param {string} id @param {string} record */
async function find(id, record) {
  const known = rooms.get(id);
  if (known?.record === record) return known;
  const { Room } = await /** @type {Promise<any>} */ (engine);
  const found = { room: Room.reopen(record), record };
  hold(id, found);
  return found;
}

/** A room as the page shows it, and what happens next in it. @param {{ room: any, record: string }} known */
function told(known) {
  known.record = known.room.record();
  return { view: known.room.view(), record: known.record, pace: known.room.pace(), flag: known.room.flag() };
}

/** What is answered once; each may tell how far it is by its last argument. @type {Record<string, (...args: any[]) => any>} */
const ANSWERS = {
  games: () => site.games(),
  scene: (asked) => site.scene(JSON.stringify(asked)),
  puzzle: (game, number) => withFiles(() => site.puzzle(game, number)),
  list: (request) => site.list(JSON.stringify(request)),
  review: (request, tell) => withFiles(() => site.review(JSON.stringify(request), tell)),
  async open(id, request) {
    const room = await withFiles(() => site.open(id, JSON.stringify(request)));
    const known = { room, record: '' };
    hold(id, known);
    return told(known);
  },
  look: async (id, record) => told(await find(id, record)),
  shown: async (id, record) => (await find(id, record)).room.shownRecord(),
  async act(id, record, version, action) {
    const known = await find(id, record);
    // An action for an earlier state of the room is answered with the present one.
    if (known.room.view().version === version) known.room.act(JSON.stringify(action));
    return told(known);
  },
  async think(id, record) {
    const known = await find(id, record);
    await withFiles(() => known.room.think(site));
    return told(known);
  },
  async flag(id, record) {
    const known = await find(id, record);
    known.room.dropFlag();
    return told(known);
  },
};

/** What is answered by several reports. @type {Record<string, (engine: any, question: any) => Promise<{ done: () => boolean, next: () => any, free: () => void }>>} */
const REPORTS = {
  async '/api/analyse'({ Analysis, Position }, { game, position, agent }) {
    const analysis = await withFiles(() => new Analysis(new Position(position, game), agent));
    return { done: () => analysis.isDone, next: () => analysis.next(Math.max(FIRST, analysis.seconds)), free: () => analysis.free() };
  },
  async '/api/rollout'({ Position, Rollout }, { game, position, agent, moves, games, truncate, seed }) {
    const options = { moves, games, truncate, seed };
    const rollout = await withFiles(() => new Rollout(new Position(position, game), agent, options));
    return { done: () => rollout.isDone, next: () => ({ ...rollout.next(SLICE), wanted: games, truncate, command: rollout.command }), free: () => rollout.free() };
  },
};

/** @param {any} question */
async function report({ path, tag, number, ...question }) {
  const work = await REPORTS[path](await engine, question);
  try {
    while (number === wanted && !work.done()) {
      const found = work.next();
      postMessage({ number, report: { ...found, tag, last: work.done(), here: true } });
      // Now the next question is heard, if there is one.
      await new Promise((go) => setTimeout(go));
    }
  } finally {
    work.free();
  }
}

addEventListener('message', async ({ data }) => {
  const { module, number, name, args, stop } = data;
  if (!name) wanted = number;
  if (stop) return;
  try {
    engine ??= load(module);
    await engine.catch((error) => {
      throw Object.assign(error, { unloaded: true });
    });
    if (name) postMessage({ number, answer: await ANSWERS[name](...args, (/** @type {any} */ progress) => postMessage({ number, progress })) });
    else await report(data);
  } catch (error) {
    const { message, unloaded } = /** @type {any} */ (error);
    postMessage({ number, error: String(message ?? error), unloaded: Boolean(unloaded || error instanceof WebAssembly.RuntimeError) });
  } finally {
    if (!name) postMessage({ number, over: true });
  }
});
