// A running site, and browsers that look at it.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';

export const program = process.env.WURFEL ?? new URL('../../../../target/debug/wurfel', import.meta.url).pathname;
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The windows in which everything must work. */
export const WINDOWS = {
  desktop: { viewport: { width: 1280, height: 860 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
};

/** Starts the program; a port of 0 takes a free one. */
async function start(folder, port, options) {
  // Tests ask faster than people do, unless the limits themselves are tested.
  const rate = options.includes('--class') ? [] : ['--rate', '1000'];
  const child = spawn(program, ['serve', '--port', port, ...rate, '--data', folder, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise((read, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`${program} ended with ${code}`)));
    createInterface({ input: child.stdout }).once('line', read);
  });
  child.removeAllListeners('exit');
  return { child, address: line.match(/http:\/\/[^/]+/)[0] };
}

/** Serves games of a new folder at a free port. */
export async function serve(...options) {
  const folder = mkdtempSync(join(tmpdir(), 'wurfel-'));
  let { child, address } = await start(folder, '0', options);
  return {
    address,
    /** The number of its process. */
    get process() {
      return child.pid;
    },
    /** Ends the program as a power cut would, and starts it again. */
    async restart() {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGKILL');
      await ended;
      ({ child } = await start(folder, new URL(address).port, options));
    },
    close() {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for the room: its address is there before its board. */
export async function entered(page) {
  await page.waitForURL(/\/room\//);
  await page.locator('.status').waitFor();
}

/** A folder whose files are looked at instead of those in the program, while they are written. */
const PAGE = process.env.PAGE;

async function fromDisk(route) {
  const path = PAGE + new URL(route.request().url()).pathname.replace(/^\/files\/[0-9a-f]+/, '');
  await (existsSync(path) ? route.fulfill({ path }) : route.fallback());
}

/** The document as it is on the disk, without what the site leaves out of it. */
async function documentFromDisk(route) {
  if (route.request().resourceType() !== 'document') return route.fallback();
  const response = await route.fetch();
  const sent = await response.text();
  if (!sent.includes('/app.js')) return route.fulfill({ response });
  const optional = ['/wasm/', '/papers/', '/docs/'].filter((folder) => !sent.includes(folder));
  const kept = readFileSync(`${PAGE}/index.html`, 'utf8').split('\n').filter((line) => !optional.some((folder) => line.includes(folder)));
  return route.fulfill({ response, body: kept.join('\n') });
}

/** Where Debian has Chromium. Without the parts that could show a window it takes half of the time for the same page. */
const CHROMIUMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? CHROMIUMS.find(existsSync) ?? CHROMIUMS[0],
    // A document from the disk is no document of this machine, which may not ask the site then.
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...(PAGE ? ['--disable-features=LocalNetworkAccessChecks'] : [])],
  });

/** What the tests of a file have in common. */
export let browser;
export let site;

/** The folder of the engine for pages, if `cargo xtask wasm` has made one, whether quickly or not. */
const engines = ['engine-quick', 'engine'].map((name) => new URL(`../../../../target/${name}`, import.meta.url).pathname);
export const engine = process.env.WURFEL_WASM ?? engines.find(existsSync) ?? engines[0];

/** Lets all tests of a file share a browser, without a site. */
export function launched() {
  before(async () => {
    browser = await launch();
  });
  after(() => browser?.close());
}

/** Lets all tests of a file look at one site with one browser. `options` are those of the site. */
export function together(...options) {
  before(async () => {
    [browser, site] = await Promise.all([launch(), serve(...options)]);
  });
  after(async () => {
    await browser?.close();
    site?.close();
  });
}

/**
 * A page that notes everything that goes wrong in it.
 * @returns the page, and what checks it
 */
export async function open(browser, options) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  if (PAGE) {
    await context.route('**/*.{js,css,svg}', fromDisk);
    await context.route('**/*', documentFromDisk);
  }
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => {
    // A test that looks at requests keeps the page from taking them from this device.
    const isBlocked = options?.serviceWorkers === 'block' && message.text().startsWith('Service Worker registration blocked');
    if (['error', 'warning'].includes(message.type()) && !isBlocked) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.addInitScript(() => {
    window.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return { context, page, problems };
}

/** What axe finds wrong on the page. */
export async function violations(page) {
  // The page's policy lets no script in; what the debugger evaluates needs none.
  await page.evaluate(source);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'], rules: { 'label-content-name-mismatch': { enabled: true } } }));
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`);
}

/**
 * What is outside the window, or cut by what it stands in. A phone widens its window to what does not fit, so the width
 * is that of the device.
 */
export const hidden = (page) =>
  page.evaluate((width) => {
    const found = [];
    if (document.documentElement.scrollWidth > width) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
    for (const element of document.querySelectorAll('header *, main *')) {
      if (element.closest('.unseen, svg, input, textarea, .scroll, .long')) continue;
      const { width: own, left, right } = element.getBoundingClientRect();
      if (own > 0 && (left < -1 || right > width + 1)) found.push(`${element.tagName}.${element.className} ends at ${right}`);
      const clips = getComputedStyle(element).overflowX !== 'visible' && element.clientWidth > 2;
      if (clips && element.scrollWidth > element.clientWidth + 1) found.push(`${element.tagName}.${element.className} cuts ${element.scrollWidth} to ${element.clientWidth}`);
    }
    return found.slice(0, 5);
  }, page.viewportSize().width);

/** Where pictures of every page go, if anywhere. */
const SHOTS = process.env.SHOTS;

export async function shoot(page, name) {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

/** Asks the site as a program would. */
export async function ask(site, path, body) {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(site.address + path, body ? post : {});
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

export const PERSON = { kind: 'person' };
export const agent = (spec) => ({ kind: 'agent', spec });

/** The address at which a position is analysed. */
export const analysis = (game, position) => `/analyse?${new URLSearchParams({ game, position })}`;

/** Where every kind of page is that needs nothing but the program. */
export const PAGES = { play: '/', review: '/review', learn: '/learn', puzzle: '/learn/puzzle/3', watch: '/watch', dice: '/dice' };

/** Opens a page and waits until it is drawn, an analysis until it has values. */
export async function visit(page, path) {
  await page.goto(site.address + path);
  await page.locator('h1').first().waitFor();
  if (path.startsWith('/analyse')) await page.locator('.scored').waitFor({ timeout: 150_000 });
}

/** Waits until what the page is asked, and answers later, is true. `waitForFunction` takes any promise as true. */
export async function until(page, asked, given) {
  for (let times = 0; !(await page.evaluate(asked, given)); times++) {
    if (times === 1200) throw new Error(`not for a minute: ${asked}`);
    await page.waitForTimeout(50);
  }
}

/** A square of the board by its name. */
export const square = (page, name) => page.getByRole('gridcell', { name: new RegExp(`^${name},`) });

/** Begins a game and opens its page with the right to play. */
export async function enter(page, site, request) {
  const { id, token, version } = await ask(site, '/api/rooms', request);
  await ask(site, `/api/rooms/${id}`, { token, version, do: 'begin', salt: 'pepper' });
  await page.addInitScript(([id, token]) => localStorage.setItem(`room:${id}`, token), [id, token]);
  await page.goto(`${site.address}/room/${id}`);
  return { id, token };
}

/** Moves the first piece that may, takes what it can take, and waits until the move is drawn. */
export async function makeMove(page) {
  const before = await page.locator('.step').count();
  await page.locator('.square.movable').first().click();
  const taking = page.locator('.square.target:has(.piece)');
  await ((await taking.count()) ? taking : page.locator('.square.target')).last().click();
  // A pawn that arrives becomes something.
  if (await page.getByText('What does it become?').isVisible()) await page.getByRole('button', { name: 'Queen' }).click();
  await page.waitForFunction((count) => document.querySelectorAll('.step').length > count, before);
}
