// The engine on this device, where the site has its module: questions to it, and their answers. `worker.js` has the
// other end.

/** What the page says of itself; nothing in a test without a page. @param {string} name */
const said = (name) => globalThis.document?.querySelector(`meta[name="${name}"]`)?.getAttribute('content');

const named = said('engine');
/** The address of the module, if there is one. */
const module = named && 'Worker' in globalThis ? new URL(named, document.baseURI).href : null;

/** Whether the page has no server behind it, so that this device answers everything. */
export const alone = said('server') === 'none';

/** Whether this device answers anything. */
export const able = module !== null;

const start = () => new Worker(new URL('worker.js', import.meta.url), { type: 'module' });

/** The worker for everything that is answered once. @type {Worker | undefined} */
let worker;
/** Who waits for which answer. @type {Map<number, { take: (answer: any) => void, fail: (error: Error) => void }>} */
const waiting = new Map();
let last = 0;

/** The error when the engine cannot be had. @param {string} [words] */
const missing = (words = 'this browser cannot load the engine') => Object.assign(new Error(words), { unloaded: true });

/**
 * Asks the engine something that has one answer.
 * @param {string} name
 * @param {...unknown} args
 * @returns {Promise<any>}
 */
export function ask(name, ...args) {
  if (!worker) {
    worker = start();
    worker.onmessage = ({ data: { number, answer, error, unloaded } }) => {
      const asker = waiting.get(number);
      waiting.delete(number);
      if (error === undefined) asker?.take(answer);
      else asker?.fail(unloaded ? missing(error) : new Error(error));
    };
    worker.onerror = () => {
      for (const { fail } of waiting.values()) fail(missing());
      waiting.clear();
    };
  }
  const number = (last += 1);
  worker.postMessage({ module, number, name, args });
  return new Promise((take, fail) => waiting.set(number, { take, fail }));
}

/**
 * Asks the engine questions that are answered by several reports, each question instead of the one before it.
 * @param {string} path
 * @param {(message: any) => void} hear is given the reports
 * @param {(question: any) => void} refuse is given a question that has no answer here
 */
export function stream(path, hear, refuse) {
  /** @type {{ number: number, question: any } | undefined} */
  let asked;
  const own = start();
  const fail = () => asked && refuse(asked.question);
  own.onerror = fail;
  own.onmessage = ({ data: { number, report, error, unloaded } }) => {
    if (number !== asked?.number) return;
    if (unloaded) fail();
    else hear(error === undefined ? report : { error });
  };
  return {
    /** @param {any} question */
    send(question) {
      asked = { number: (last += 1), question };
      own.postMessage({ ...question, module, path, number: asked.number });
    },
    settle() {},
    close: () => own.terminate(),
  };
}
