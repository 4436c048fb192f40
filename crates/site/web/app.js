// The page: chooses the view for an address, and has what all views share.

import { unreachable } from './api.js';
import './board.js';
import { able, alone } from './device.js';
import { fill, h, s, select } from './dom.js';
import { LANGUAGES, language, speak, t } from './language.js';
import { entitle, sentence } from './pages/shared.js';
import { address, file, here, target } from './place.js';
import { isOn, turn } from './sound.js';
import { storage } from './storage.js';

/** The views, each of which is loaded when it is first shown. @type {Record<string, () => Promise<Page>>} */
const PAGES = {
  '': async () => (await import('./pages/play.js')).play,
  room: async () => (await import('./pages/room.js')).room,
  analyse: async () => (await import('./pages/analyse.js')).analyse,
  review: async () => (await import('./pages/review.js')).review,
  learn: async () => (await import('./pages/learn.js')).learn,
  watch: async () => (await import('./pages/watch.js')).watch,
  dice: async () => (await import('./pages/verify.js')).verify,
};

const main = /** @type {HTMLElement} */ (document.getElementById('main'));

/** How many milliseconds a view may take before the page says that it is on its way. */
const PATIENCE = 700;

/** @type {(() => void) | void} */
let end;
let visit = 0;

/** The view for an unknown address. @type {Page} */
async function missing(stage) {
  lost(stage, t('lost.page'), t('lost.part'));
}

/**
 * A message with a link to the first page, where there is nothing to show.
 * @param {HTMLElement} stage
 * @param {string} title
 * @param {string} words
 * @param {HTMLElement} [first] an action to offer first
 */
function lost(stage, title, words, first) {
  fill(stage, h('div', { class: 'text-page' }, h('h1', {}, title), h('p', { class: 'lead' }, words), h('div', { class: 'actions' }, first, h('a', { class: first ? 'button' : 'button primary', href: '/' }, t('lost.start')), !alone && h('a', { class: 'button', href: '/watch' }, t('lost.games')))));
}

/** Shows the view of the current address. @param {boolean} [moved] whether a link or a button led here */
async function show(moved = false) {
  const mine = (visit += 1);
  end?.();
  end = undefined;
  const { pathname, searchParams: query } = here();
  const [first, ...rest] = words(pathname);
  for (const link of document.querySelectorAll('nav a')) {
    const leads = link.getAttribute('href')?.replace(/^#?\//, '') ?? '';
    if (leads === first || (leads === '' && first === 'room')) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const stage = h('div', { class: 'stage' });
  document.title = '';
  // A view that was left before it came must not take the place of the one after it.
  const waiting = setTimeout(() => mine === visit && fill(main, h('p', { class: 'note' }, t('busy.wait'))), PATIENCE);
  try {
    const page = Object.hasOwn(PAGES, first) ? await load(PAGES[first]) : missing;
    const ended = await page(stage, rest, query);
    if (mine !== visit) return ended?.();
    end = ended;
  } catch (error) {
    if (mine !== visit) return;
    const { unreachable: away, wait, message } = /** @type {any} */ (error);
    if (wait) end = later(stage, wait);
    else lost(stage, t('error.title'), sentence(message), away && again());
  } finally {
    clearTimeout(waiting);
  }
  fill(main, stage);
  const heading = stage.querySelector('h1');
  if (!document.title) entitle(heading?.textContent ?? '');
  if (!moved) return;
  // The focus moves to the new content, for screen readers and keyboards.
  heading?.setAttribute('tabindex', '-1');
  (heading ?? main).focus({ preventScroll: true });
}

/** Says that the server is busy, and shows the view as soon as it may be free. @param {HTMLElement} stage @param {number} seconds */
function later(stage, seconds) {
  lost(stage, t('busy.title'), t('busy.words', { seconds }));
  const timer = setTimeout(() => void show(), 1000 * seconds);
  return () => clearTimeout(timer);
}

/** Loads a view. @param {() => Promise<Page>} page @returns {Promise<Page>} */
function load(page) {
  return page().catch(() => {
    throw unreachable();
  });
}

/** A button that loads the page anew as soon as the server can be reached. */
function again() {
  const button = h('button', { type: 'button', class: 'primary', onclick: async () => {
    button.disabled = true;
    // A browser keeps in mind that a script could not be loaded, so the view alone cannot be tried again.
    await fetch(file('icon.svg'), { cache: 'no-store' }).then(() => location.reload(), () => {
      button.disabled = false;
      button.textContent = t('error.still');
      button.focus();
    });
  } }, t('error.again'));
  return button;
}

/** The parts of an address. @param {string} path */
function words(path) {
  try {
    return path.slice(1).split('/').map(decodeURIComponent);
  } catch {
    return [path];
  }
}

/** Goes to an address of this site. @param {string} path */
export function go(path) {
  history.replaceState({ scroll: scrollY }, '');
  history.pushState(null, '', address(path));
  scrollTo(0, 0);
  void show(true);
}

document.addEventListener('click', (event) => {
  const link = /** @type {Element} */ (event.target).closest('a');
  if (!link || link.origin !== location.origin || link.hasAttribute('download')) return;
  const path = target(link);
  if (path === link.href && link.hash) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0 || link.target) return;
  event.preventDefault();
  go(path);
});
addEventListener('popstate', ({ state }) => {
  // A view that has the address among its own positions shows it itself.
  if (!document.dispatchEvent(new CustomEvent('return', { cancelable: true }))) return;
  void show(true).then(() => {
    if (state) scrollTo(0, state.scroll);
  });
});

// The focus moves without a change of the address, which would show the page anew and lose what was done in it.
document.getElementById('skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  const square = /** @type {HTMLElement | null} */ (main.querySelector('wf-board .square[tabindex="0"]'));
  (square ?? main).focus();
});
document.addEventListener('go', (event) => go(/** @type {CustomEvent<string>} */ (event).detail));

const theme = /** @type {HTMLButtonElement} */ (document.getElementById('theme'));
const dark = matchMedia('(prefers-color-scheme: dark)');

/** Follows the system's choice of light or dark until the reader chooses one. */
function paint() {
  const night = (storage.get('theme') ?? (dark.matches ? 'dark' : 'light')) === 'dark';
  document.documentElement.dataset.theme = night ? 'dark' : 'light';
  theme.setAttribute('aria-pressed', String(night));
  theme.setAttribute('aria-label', night ? t('shell.dark') : t('shell.light'));
  const sign = night
    ? s('path', { d: 'M15.500 3.500A9 9 0 1 0 20.500 15 7.500 7.500 0 0 1 15.500 3.500z' })
    : s('g', {}, s('circle', { cx: 12, cy: 12, r: 4.5 }), s('path', { class: 'rays', d: 'M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2' }));
  fill(theme, s('svg', { viewBox: '0 0 24 24', width: 22, height: 22, 'aria-hidden': 'true' }, sign));
}
theme.addEventListener('click', () => {
  storage.set('theme', document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  paint();
});
const sound = /** @type {HTMLButtonElement} */ (document.getElementById('sound'));

function paintSound() {
  const on = isOn();
  sound.setAttribute('aria-pressed', String(on));
  const waves = on ? 'M16 9a4 4 0 0 1 0 6M18.5 6.500a8 8 0 0 1 0 11' : 'M16.500 9.500l5 5M21.500 9.500l-5 5';
  fill(sound, s('svg', { viewBox: '0 0 24 24', width: 22, height: 22, 'aria-hidden': 'true' }, s('path', { d: 'M4 9.500h3.500L12 5.500v13L7.500 14.500H4z' }), s('path', { class: 'rays', d: waves })));
}
sound.addEventListener('click', () => {
  turn(!isOn());
  paintSound();
});
paintSound();

/** Gives what is in the document from the beginning the language of the page, and the page a foot to choose another. */
function name() {
  document.documentElement.lang = language;
  for (const link of document.querySelectorAll('nav a')) {
    const view = link.getAttribute('href')?.replace(/^#?\//, '').replace(/\/$/, '') || 'play';
    link.textContent = t(/** @type {import('./language.js').Key} */ (`nav.${view}`));
  }
  const skip = document.getElementById('skip');
  if (skip) skip.textContent = t('shell.skip');
  document.querySelector('nav')?.setAttribute('aria-label', t('shell.main'));
  document.querySelector('.brand')?.setAttribute('aria-label', t('shell.start'));
  document.querySelector('meta[name="description"]')?.setAttribute('content', t('shell.about'));
  sound.setAttribute('aria-label', t('shell.sound'));
  const languages = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));
  main.after(h('footer', {}, select(t('shell.language'), languages, language, speak)));
}

name();
dark.addEventListener('change', paint);
paint();
void show();

// What the engine plays on this device, it also plays without a network.
if (able && 'serviceWorker' in navigator) navigator.serviceWorker.register(alone ? file('sw.js') : '/sw.js').catch(() => {});
