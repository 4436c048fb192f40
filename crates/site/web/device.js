// The engine on this device, where the site serves its module: a worker, because a page stands still while its
// engine searches.

/** The address of the module, if there is one. */
const module = document.querySelector('meta[name="engine"]')?.getAttribute('content');

/**
 * What analyses on this device; null where that is not possible.
 * @param {(message: any) => void} hear is given the reports
 * @param {(question: any) => void} refuse is given a question that has no answer here
 */
export function device(hear, refuse) {
  if (!module || !('Worker' in window)) return null;
  /** @type {any} */
  let asked;
  const worker = new Worker('/worker.js', { type: 'module' });
  const fail = () => asked && refuse(asked);
  worker.onerror = fail;
  worker.onmessage = ({ data }) => {
    if (data.tag !== asked?.tag) return;
    if (data.failed) fail();
    else hear(data);
  };
  return {
    /** Asks for reports on a position, and for no more on the one before. @param {any} question */
    send(question) {
      asked = question;
      worker.postMessage({ module, ...question });
    },
    close: () => worker.terminate(),
  };
}
