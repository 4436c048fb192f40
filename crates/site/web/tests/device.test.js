// Analyses on the visitor's device, where the engine for pages has been built: `cargo xtask wasm`.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { analysis, browser, engine as folder, entered, makeMove, open, site, together, until, violations } from './browser.js';

const skip = existsSync(`${folder}/wurfel.js`) ? false : 'cargo xtask wasm has not been run';
const TEXT = 'ABC2/DE3/F3f/3ed/2cba r 4 1';

if (!skip) together('--wasm', folder);

/** A page that shows the analysis of a position, and what it has sent to the server. */
async function analysed(prepare = () => {}) {
  const { context, page, problems } = await open(browser, { serviceWorkers: 'block' });
  const sent = [];
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(payload)));
  await prepare(page);
  await page.goto(site.address + analysis('einstein', TEXT));
  await page.locator('.scored').waitFor();
  return { context, page, problems, sent };
}

test('a position is analysed on the device, and the server is asked for nothing', { skip }, async () => {
  const { context, page, problems, sent } = await analysed();
  await page.locator('.meta', { hasText: /depth [3-9].* on this device$/ }).waitFor();
  assert.match(await page.locator('.scored tbody tr').first().innerText(), /a4b4/);
  // The next question is heard while this one is searched.
  await page.getByRole('button', { name: 'All rolls' }).click();
  await page.locator('.scored .face').first().waitFor();
  assert.match(await page.locator('.meta').innerText(), /on this device/);
  await until(page, async () => {
    const { name } = performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/device.js'));
    return (await import(name)).isQuick();
  });
  page.on('request', (request) => request.url().includes('/api/') && sent.push(request.url()));
  await page.getByRole('button', { name: 'Roll 1', exact: true }).click();
  await page.locator('.verdict', { hasText: 'rolled a 1' }).waitFor();
  assert.deepEqual(await violations(page), []);
  assert.deepEqual([sent, problems], [[], []]);
  await context.close();
});

test('where the module cannot be loaded, the server answers', { skip }, async () => {
  const { context, page, sent } = await analysed((page) => page.context().route('**/wasm/*', (route) => route.abort()));
  await page.locator('.meta', { hasText: 'champion' }).waitFor();
  assert.doesNotMatch(await page.locator('.meta').innerText(), /on this device/);
  assert.equal(sent.length, 1);
  await context.close();
});

test('a game against a level, its dice and its review are on the device', { skip }, async () => {
  const { context, page, problems } = await open(browser, { serviceWorkers: 'block' });
  const asked = [];
  page.on('request', (request) => asked.push(request));
  await page.goto(site.address);
  await page.evaluate(() => localStorage.setItem('play', JSON.stringify({ mode: 'agent', level: 1, side: '0' })));
  await page.reload();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await entered(page);
  await page.locator('.square.movable').first().waitFor();
  await makeMove(page);
  await page.locator('.step').nth(1).waitFor();
  await page.getByText('Dice of this device').waitFor();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Yes, resign' }).click();
  const room = page.url();
  await page.getByRole('link', { name: 'Check the dice' }).click();
  await page.locator('.verdict', { hasText: /./ }).waitFor();
  await page.addInitScript(() => {
    window.notes = [];
    addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
      window.notes.push(document.querySelector('.reviewed .note')?.textContent);
    }).observe(document.body, { subtree: true, childList: true, characterData: true }));
  });
  await page.goto(room.replace('/room/', '/review/'));
  await page.getByText('Lost by moves').waitFor({ timeout: 300_000 });
  const notes = await page.evaluate(() => window.notes);
  assert.ok(notes.some((line) => /^Analysing the game: 1 of \d+ positions/.test(line)), JSON.stringify(notes));
  assert.deepEqual(asked.filter((request) => request.method() === 'POST').map((request) => request.url()), []);
  assert.deepEqual(problems, []);
  await context.close();
});

test('a game with somebody elsewhere is on the server', { skip }, async () => {
  const { context, page } = await open(browser, { serviceWorkers: 'block' });
  await page.goto(site.address);
  await page.evaluate(() => localStorage.setItem('play', JSON.stringify({ mode: 'people', place: 'apart', side: '0' })));
  await page.reload();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await entered(page);
  assert.doesNotMatch(page.url(), /own-/);
  await context.close();
});

test('every search does in this browser what it does in the program', { skip }, async () => {
  const { context, page } = await open(browser);
  await page.goto(`${site.address}/learn`);
  const found = await page.evaluate(async () => {
    const module = await import('/wasm/wurfel.js');
    await module.default();
    for (const file of module.files()) module.provide(file, new Uint8Array(await (await fetch(`/wasm/${file}`)).arrayBuffer()));
    return module.signatures();
  });
  assert.equal(found, readFileSync(new URL('../../../lab/signature.txt', import.meta.url), 'utf8'));
  await context.close();
});
