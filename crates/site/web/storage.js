// What this browser keeps for the next visit. Where it may keep nothing, or has no room left, the page remembers it
// until it is left.

/** The values that could not be saved. @type {Map<string, string>} */
const here = new Map();

/** The browser's storage; null where it is denied. Even to name it may be refused. */
function browser() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

export const storage = {
  /** @param {string} key */
  get: (key) => here.get(key) ?? browser()?.getItem(key) ?? null,

  /** @param {string} key @param {string} value */
  set(key, value) {
    try {
      localStorage.setItem(key, value);
      here.delete(key);
    } catch {
      here.set(key, value);
    }
  },

  /** @param {string} key */
  remove(key) {
    here.delete(key);
    browser()?.removeItem(key);
  },

  /** The keys of everything that is kept. @returns {string[]} */
  keys: () => [...new Set([...Object.keys(browser() ?? {}), ...here.keys()])],

  /** A value that was kept as JSON; null if there is none, or none that can be read. @param {string} key @returns {any} */
  json(key) {
    try {
      return JSON.parse(storage.get(key) ?? 'null');
    } catch {
      return null;
    }
  },
};
