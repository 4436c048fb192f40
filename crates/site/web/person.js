// What the visitor is called in games with others. The name stays in the browser and goes along with each game; the
// server leaves out of it what cannot be seen, and refuses one that is too long.

import { storage } from './storage.js';

const KEPT = 'name';
/** The maximum number of characters of a name. */
export const MAX_NAME = 24;

/** The visitor's name; empty without one. */
export const ownName = () => [...(storage.get(KEPT) ?? '').trim()].slice(0, MAX_NAME).join('');

/** @param {string} name */
export const rename = (name) => storage.set(KEPT, name);

/** The visitor as a player. @returns {Player} */
export function myself() {
  const name = ownName();
  return name ? { kind: 'person', name } : { kind: 'person' };
}

/** A name as it stands among other words, whose order it does not change, whichever way it is written. @param {string} name */
export const among = (name) => (/[\u0590-\u08ff\ufb1d-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name);
