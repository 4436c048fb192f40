// The language of the page: the browser's, until the visitor chooses another one at the foot of the page.
//
// All texts of a language are in one file of `languages/`, of which only one is loaded. Types and
// `tests/languages.test.js` see to it that every file has the same texts with the same places. What the server calls
// in English, such as games and levels, is translated by its name where the language has one for it.

import { storage } from './storage.js';

/** The languages by their tags, each by its own name. @type {Record<string, string>} */
export const LANGUAGES = { en: 'English', de: 'Deutsch', 'zh-Hans': '简体中文', 'zh-Hant': '繁體中文' };

/** The texts of a language; a text with `count` may have several forms. @typedef {Record<Key, string | Partial<Record<Intl.LDMLPluralRule, string>>>} Texts */
/** @typedef {keyof typeof import('./languages/en.js').texts} Key */

/** The key under which the choice is stored. */
const KEPT = 'language';

/** The language that suits a visitor best who reads these, the favourite first. @param {readonly string[]} wanted */
export function suiting(wanted) {
  for (const tag of wanted) {
    const { language, script } = new Intl.Locale(tag).maximize();
    const found = [`${language}-${script}`, language].find((known) => Object.hasOwn(LANGUAGES, known));
    if (found) return found;
  }
  return 'en';
}

const kept = storage.get(KEPT) ?? '';

/** The language of the page. */
export const language = Object.hasOwn(LANGUAGES, kept) ? kept : suiting(globalThis.navigator?.languages ?? []);

/** @type {{ texts: Texts, names: Record<string, string> }} */
const { texts, names } = await import(`./languages/${language.toLowerCase()}.js`);

const numbers = new Intl.NumberFormat(language);
const fixed = [0, 1, 2].map((digits) => new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }));
const plurals = new Intl.PluralRules(language);
// British, without a comma before "and".
const lists = new Intl.ListFormat(language === 'en' ? 'en-GB' : language);

/** @param {Key} key @param {number} [count] */
function form(key, count = 0) {
  const text = texts[key];
  return typeof text === 'string' ? text : (text[plurals.select(count)] ?? text.other ?? '');
}

/**
 * A text.
 * @param {Key} key
 * @param {Record<string, string | number>} [places] what stands in its places; `count` also chooses the form
 */
export function t(key, places = {}) {
  return form(key, Number(places.count)).replace(/\{(\w+)\}/g, (_, name) => {
    const value = places[name];
    return typeof value === 'number' ? numbers.format(value) : value;
  });
}

/**
 * A text with elements in its places.
 * @param {Key} key
 * @param {Record<string, Node | string>} nodes
 * @param {number} [count] chooses the form
 */
export const parts = (key, nodes, count) => form(key, count).split(/(\{\w+\})/).map((part) => nodes[part.slice(1, -1)] ?? part);

/** A number with so many decimals. @param {number} value @param {0 | 1 | 2} [digits] */
export const decimals = (value, digits = 1) => fixed[digits].format(value);

/** Things in a sentence, the last with "and". @param {string[]} words */
export const conjoined = (words) => lists.format(words);

/** What something is called that has an English name. @param {string} key @param {string} english */
export const called = (key, english) => /** @type {Record<string, any>} */ (texts)[key] ?? names[key] ?? english;

/** The title of a game. @param {{ name: string, title: string }} game */
export const titleOf = ({ name, title }) => called(`game.${name}`, title);

/** The name of a side, as it stands in a sentence. @param {Pick<Game, 'sides'>} game @param {number} side */
export const sideOf = ({ sides }, side) => called(`side.${sides[side]}`, sides[side]);

/** Changes the language for this visit and all later ones. @param {string} chosen */
export function speak(chosen) {
  storage.set(KEPT, chosen);
  location.reload();
}
