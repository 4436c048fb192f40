// The engine on this device, where the site has its module: questions to it, and their answers. `worker.js` has the
// other end.

import { t } from './language.js';

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
/** Who waits for which answer. @type {Map<number, { take: (answer: any) => void, fail: (error: Error) => void, see?: (progress: any) => void }>} */
const waiting = new Map();
let last = 0;
/** Whether that worker has its engine. */
let isLoaded = false;

/** Whether an answer comes at once, with nothing to load or to answer before it. */
export const isQuick = () => isLoaded && waiting.size === 0;

/** The error when the engine cannot be had. @param {string} [words] */
const missing = (words = t('device.engine')) => Object.assign(new Error(words), { unloaded: true });

/**
 * Asks the engine something that has one answer.
 * @param {string} name
 * @param {...unknown} args
 * @returns {Promise<any>}
 */
export const ask = (name, ...args) => watch(undefined, name, ...args);

/**
 * Asks the same.
 * @param {((progress: any) => void) | undefined} see gets the progress of the answer
 * @param {string} name
 * @param {...unknown} args
 * @returns {Promise<any>}
 */
export function watch(see, name, ...args) {
  if (!worker) {
    worker = start();
    worker.onmessage = ({ data: { number, answer, progress, error, unloaded } }) => {
      const asker = waiting.get(number);
      if (progress) return asker?.see?.(progress);
      waiting.delete(number);
      if (error !== undefined) return asker?.fail(unloaded ? missing(error) : new Error(error));
      isLoaded = true;
      asker?.take(answer);
    };
    worker.onerror = () => {
      for (const { fail } of waiting.values()) fail(missing());
      waiting.clear();
    };
  }
  const number = (last += 1);
  worker.postMessage({ module, number, name, args });
  return new Promise((take, fail) => waiting.set(number, { take, fail, see }));
}

/** Lets the worker for single answers load its engine. */
const prepare = () => void (worker ?? ask('games').catch(() => {}));

/**
 * Asks the engine questions that are answered by several reports, each question instead of the one before it. A worker
 * hears nothing while it makes a report, which may take seconds late in a search; meanwhile a second one begins.
 * @param {string} path
 * @param {(message: any) => void} hear is given the reports
 * @param {(question: any) => void} refuse is given a question that has no answer here
 */
export function stream(path, hear, refuse) {
  /** @type {{ number: number, question: any } | undefined} */
  let asked;
  /** The workers, with the number of the question that each one works on; the one that began last is the last. @type {{ worker: Worker, number: number | null }[]} */
  const crew = [];
  const fail = () => asked && refuse(asked.question);
  const hire = () => {
    const hired = { worker: start(), number: /** @type {number | null} */ (null) };
    hired.worker.onerror = fail;
    hired.worker.onmessage = ({ data: { number, report, error, unloaded, over } }) => {
      if (over && number === hired.number) hired.number = null;
      if (over || number !== asked?.number) return;
      if (unloaded) fail();
      else {
        hear(error === undefined ? report : { error });
        prepare();
      }
    };
    return hired;
  };
  crew.push(hire());
  return {
    /** @param {any} question */
    send(question) {
      const number = (last += 1);
      asked = { number, question };
      if (crew.length < 2 && crew[0].number !== null) crew.push(hire());
      // Where both are at work, the reports of the younger search are the shorter ones.
      const free = crew.find((one) => one.number === null) ?? crew[crew.length - 1];
      for (const { worker } of crew) if (worker !== free.worker) worker.postMessage({ module, number, stop: true });
      crew.push(...crew.splice(crew.indexOf(free), 1));
      free.number = number;
      free.worker.postMessage({ ...question, module, path, number });
    },
    settle() {},
    close() {
      for (const { worker } of crew) worker.terminate();
    },
  };
}
