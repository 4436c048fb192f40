// The site as plain files in a folder of a host that only gives files out, and what is left of it without a network.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { analysis, browser, engine, launched, makeMove, open, program, until, violations } from './browser.js';

const skip = existsSync(`${engine}/wurfel.js`) ? false : 'cargo xtask wasm has not been run';
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm', '.webmanifest': 'application/manifest+json' };
/** The folder of the host in which the site lies. */
const PLACE = '/some/where/';

let folder;
let server;
let site;

/** Gives out a file and knows nothing else. */
function give({ url }, response) {
  const { pathname } = new URL(url, 'http://host');
  const path = join(folder, pathname.slice(PLACE.length), pathname.endsWith('/') ? 'index.html' : '');
  if (!pathname.startsWith(PLACE) || !existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(readFileSync(path));
}

if (!skip) {
  launched();
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wurfel-site-'));
    execFileSync(program, ['export-site', folder, '--wasm', engine]);
    server = createServer(give);
    await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
    site = `http://127.0.0.1:${server.address().port}${PLACE}`;
  });
  after(() => {
    server?.closeAllConnections();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** Begins a game of a person against the weakest level. */
async function begin(page, game) {
  await page.evaluate((game) => localStorage.setItem('play', JSON.stringify({ game, mode: 'agent', level: 1, side: '0' })), game);
  await page.goto(`${site}#/learn`);
  await page.goto(`${site}#/?game=${game}`);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForURL(/#\/room\//);
  await page.locator('.status').waitFor();
}

/** Makes the moves of this person's turn, and waits for the answer. */
async function turn(page) {
  const answers = () => page.locator('.turn-of1').count();
  const before = await answers();
  for (;;) {
    await page.waitForFunction((count) => document.querySelectorAll('.turn-of1').length > count || document.querySelector('.square.movable'), before);
    if ((await answers()) > before) return;
    await makeMove(page);
  }
}

/** Asks the engine in the page. */
const asked = (page, ...question) =>
  page.evaluate(async (question) => (await import(new URL('device.js', document.baseURI).href)).ask(...question), question);

/** Solves the first puzzle of a game. */
async function solve(page, game) {
  await page.goto(`${site}#/learn/puzzle/1?game=${game}`);
  await page.locator('.square.movable').first().waitFor({ timeout: 60_000 });
  const { scene, moves, turns } = await asked(page, 'puzzle', game, 1);
  const answer = turns ? turns[0].moves : [moves[0].move];
  let now = scene;
  for (const text of answer) {
    const { from, to } = now.moves.find((move) => move.text === text);
    const same = now.moves.filter((move) => move.from === from && move.to === to);
    const squares = page.locator('.square');
    await squares.nth(from).click();
    await squares.nth(to).click();
    if (same.length > 1) await page.locator('.offers button').nth(same.findIndex((move) => move.text === text)).click();
    if (text === answer.at(-1)) continue;
    now = await asked(page, 'scene', { game, position: now.position, move: text });
    await squares.nth(from).locator('.piece').waitFor({ state: 'detached' });
  }
  await page.locator('.verdict.right').waitFor();
}

/** The review of the game whose page is open. */
async function resignAndReview(page) {
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Yes, resign' }).click();
  // The one in the header is there at any time.
  await page.locator('#main').getByRole('link', { name: 'Review' }).click();
  await page.getByText('Lost by moves').waitFor({ timeout: 300_000 });
}

test('a game is played, checked, reviewed and analysed from a folder of a plain host', { skip }, async () => {
  const { context, page, problems } = await open(browser, { serviceWorkers: 'block' });
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(site);
  await page.getByRole('heading', { level: 1 }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Watch' }).count(), 0);
  await begin(page, 'einstein');
  await turn(page);
  await turn(page);
  await page.reload();
  assert.ok((await page.locator('.step').first().waitFor(), await page.locator('.step').count()) >= 4);
  assert.deepEqual(await violations(page), []);
  await resignAndReview(page);
  await page.goto(`${site}#${analysis('einstein', 'ABC2/DE3/F3f/3ed/2cba r 4 1')}`);
  await page.locator('.meta', { hasText: /on this device$/ }).waitFor();
  await page.goto(`${site}#/learn/puzzle/3?game=einstein`);
  await page.locator('.square.movable').first().waitFor();
  assert.deepEqual(asked.filter((url) => !url.startsWith(site)), []);
  assert.deepEqual(asked.filter((url) => url.includes('/api/')), []);
  assert.deepEqual(problems, []);
  await context.close();
});

test('after one visit everything works without a network, in every game', { skip }, async () => {
  const { context, page, problems } = await open(browser);
  await page.goto(site);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await context.setOffline(true);
  server.closeAllConnections();
  for (const game of ['einstein', 'dicechess', 'dicechess3']) {
    await page.goto(site);
    await begin(page, game);
    await turn(page);
    // Compiled quickly, as in CI, the engine reviews a game of Dice Chess for minutes.
    if (game === 'einstein' || !engine.endsWith('engine-quick')) await resignAndReview(page);
    await solve(page, game);
    await page.goto(`${site}#/analyse?game=${game}`);
    await page.locator('.meta', { hasText: /on this device$/ }).waitFor({ timeout: 60_000 });
  }
  assert.deepEqual(problems, []);
  await context.close();
});

test('a board for other sites is one of the files, and thinks on the device', { skip }, async () => {
  const { context, page, problems } = await open(browser, { serviceWorkers: 'block' });
  await page.goto(`${site}embed/?${new URLSearchParams({ game: 'einstein', position: 'ABC2/DE3/F3f/3ed/2cba r 4 1' })}`);
  await page.locator('.meta', { hasText: /on this device$/ }).waitFor();
  const link = await page.getByRole('link', { name: 'Open in wurfel' }).getAttribute('href');
  assert.ok(link.startsWith(`${site}#/analyse?`), link);
  assert.deepEqual(problems, []);
  await context.close();
});

test('a new version takes over as a whole', { skip }, async () => {
  const { context, page } = await open(browser);
  await page.goto(site);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const versions = () => page.evaluate(() => caches.keys());
  const [old] = await versions();
  const other = mkdtempSync(join(tmpdir(), 'wurfel-engine-'));
  execFileSync('cp', ['-r', `${engine}/.`, other]);
  execFileSync('sh', ['-c', 'echo "// changed" >> "$1/wurfel.js"', 'sh', other]);
  execFileSync(program, ['export-site', folder, '--wasm', other]);
  rmSync(other, { recursive: true });
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
  await until(page, async () => (await navigator.serviceWorker.getRegistration()).waiting !== null);
  assert.equal((await versions()).length, 2);
  await page.reload();
  // The worker answers with an empty document first, in which a question may stay without an answer.
  await page.locator('h1').first().waitFor();
  await until(page, async (old) => !(await caches.keys()).includes(old), old);
  assert.equal((await versions()).length, 1);
  assert.match(await page.evaluate(async () => (await fetch('wasm/wurfel.js')).text()), /changed/);
  await context.close();
});

test('the example of the package is a board that thinks', { skip }, async () => {
  const { context, page, problems } = await open(browser, { serviceWorkers: 'block' });
  await page.goto(`${site}wasm/board.html`);
  await page.locator('#said', { hasText: /^\d: [a-e][1-5][a-e][1-5], \d+\.\d %$/ }).waitFor();
  assert.equal(await page.locator('#board svg').count(), 1);
  assert.deepEqual(problems, []);
  await context.close();
});
