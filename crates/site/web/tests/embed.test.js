// The board that other sites show in a frame, and that they can show nothing else.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { browser, engine, open, shoot, site, together, violations } from './browser.js';

const skip = existsSync(`${engine}/wurfel.js`) ? false : 'cargo xtask wasm has not been run';
const ROLLED = 'ABC2/DE3/F3f/3ed/2cba r 4 1';

/** A page of somebody else, with a frame around what its address names. */
const others = createServer(({ url }, response) => {
  const framed = new URL(url, 'http://others').searchParams.get('framed') ?? '';
  response.setHeader('content-type', 'text/html');
  response.end(`<!doctype html><title>Another page</title><iframe src="${framed.replaceAll('&', '&amp;')}" width="420" height="760"></iframe>`);
});

if (!skip) together('--wasm', engine);
before(() => new Promise((ready) => others.listen(0, '127.0.0.1', ready)));
after(() => {
  others.closeAllConnections();
  others.close();
});

/** Opens the other page with a frame around an address of the site. */
async function framed(path, options) {
  const opened = await open(browser, options);
  const address = site.address + path;
  // Another port is another origin.
  await opened.page.goto(`http://127.0.0.1:${others.address().port}/?${new URLSearchParams({ framed: address })}`);
  return { ...opened, frame: opened.page.frames()[1] };
}

const embedded = (query) => `/embed/?${new URLSearchParams(query)}`;

test('a board in a page of another site is played on, and thinks on the device', { skip }, async () => {
  const { context, page, frame, problems } = await framed(embedded({ game: 'einstein', position: ROLLED }));
  const sent = [];
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(payload)));
  await frame.locator('.meta', { hasText: /depth [3-9].* on this device$/ }).waitFor();
  assert.match(await frame.locator('.verdict').innerText(), /for Red, who has rolled a 4/);
  await frame.locator('.square.movable').first().click();
  await frame.locator('.square.target').first().click();
  await frame.getByText('before the roll').waitFor();
  await frame.getByRole('button', { name: 'Roll 3', exact: true }).click();
  await frame.getByText('for Blue, who has rolled a 3').waitFor();
  await frame.getByRole('button', { name: 'Back' }).click();
  await frame.getByText('before the roll').waitFor();
  await shoot(page, 'embedded');
  const link = await frame.getByRole('link', { name: 'Open in wurfel' }).getAttribute('href');
  assert.ok(link.startsWith(`${site.address}/analyse?game=einstein&position=`), link);
  await page.goto(link.replace('/analyse', '/embed/'));
  await page.locator('.scored').waitFor();
  assert.deepEqual(await violations(page), []);
  assert.deepEqual([sent, problems], [[], []]);
  await context.close();
});

test('a frame says what is wrong with its address', { skip }, async () => {
  const { context, frame } = await framed(embedded({ game: 'chess' }));
  await frame.getByText('There is no game called “chess”').waitFor();
  await context.close();
});

test('no other page can be framed', { skip }, async () => {
  for (const path of ['/', '/analyse', '/room/x', '/learn', '/watch', '/embed/more', '/embed/embed.js', '/wasm/wurfel.js', '/api/games']) {
    const { context, frame } = await framed(path);
    await frame.waitForURL(/^chrome-error:/);
    await context.close();
  }
});
