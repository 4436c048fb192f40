// The worker in which this device analyses a position.

/** The least time for a report in seconds; a report gets as much time as all before it. */
const FIRST = 0.06;

/** The module, once it is wanted. @type {Promise<any> | undefined} */
let engine;
/** The number of the last question. */
let wanted = 0;

/** @param {string} module */
async function load(module) {
  const found = await import(module);
  await found.default();
  return found;
}

/** Answers with one report after the other, until there is another question. @param {any} question */
async function answer({ module, game, position, agent, tag }) {
  engine ??= load(module);
  const { Analysis, Position } = await engine;
  const analysis = new Analysis(new Position(position, game), agent);
  while (tag === wanted && !analysis.isDone) {
    const report = analysis.next(Math.max(FIRST, analysis.seconds));
    postMessage({ ...report, tag, last: analysis.isDone, here: true });
    // Now the next question is heard, if there is one.
    await new Promise((go) => setTimeout(go));
  }
  analysis.free();
}

addEventListener('message', ({ data }) => {
  wanted = data.tag;
  answer(data).catch(() => postMessage({ tag: data.tag, failed: true }));
});
