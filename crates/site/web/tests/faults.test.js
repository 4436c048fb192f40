// What goes wrong is said, and what is shown is true.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERSON, WINDOWS, agent, browser, enter, entered, open, site, together, violations } from './browser.js';

together();

test('a page whose scripts fail says so and can be loaded again', async () => {
  const { context, page } = await open(browser, WINDOWS.phone);
  await page.route('**/board.js', (route) => route.abort());
  await page.goto(site.address);
  await page.getByText('The page is still loading').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.unroute('**/board.js');
  await page.getByRole('link', { name: 'load it again' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  assert.equal(await page.getByText('The page is still loading').count(), 0);
  await context.close();
});

test('a browser that keeps nothing plays', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.phone);
  await page.addInitScript(() => Object.defineProperty(window, 'localStorage', {
    get() {
      throw new DOMException('denied', 'SecurityError');
    },
  }));
  await page.goto(site.address);
  await page.getByRole('button', { name: 'Light; to dark' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await entered(page);
  await page.locator('.square.movable').first().waitFor();
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  assert.deepEqual(problems, []);
  await context.close();
});

test('what is kept but damaged is forgotten', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.phone);
  await page.addInitScript(() => ['play', 'going', 'solved:einstein'].forEach((key) => localStorage.setItem(key, '{')));
  for (const path of ['/', '/learn/puzzle/1']) {
    await page.goto(site.address + path);
    await page.locator('.square .piece').first().waitFor();
  }
  assert.deepEqual(problems, []);
  await context.close();
});

test('a later review is not overwritten by the answer to an earlier one', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  let release = () => {};
  const held = new Promise((done) => (release = done));
  await page.route('**/api/review/games', async (route) => {
    if (route.request().postData().includes('slow')) await held;
    await route.continue();
  });
  await page.goto(`${site.address}/review`);
  const text = page.getByLabel('The game as text');
  await text.fill('slow');
  await page.getByRole('button', { name: 'Review' }).click();
  await text.fill('5/1a3/5/3A1/5 r - 1 @1 d2d1 @1 b4a5 0-1');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.locator('.graph svg').waitFor();
  const answered = page.waitForResponse((response) => response.request().postData()?.includes('slow') ?? false);
  release();
  await answered;
  await page.waitForTimeout(200);
  assert.equal(await page.locator('.reviewed .problem:not(:empty)').count(), 0);
  assert.equal(await page.locator('.graph svg').count(), 1);
  assert.deepEqual(problems.filter((line) => !line.includes('400')), []);
  await context.close();
});

test('a long file is named and not cut, and can be removed', async () => {
  const { context, page } = await open(browser, WINDOWS.phone);
  let sent = '';
  await page.route('**/api/review/games', (route) => {
    sent = JSON.parse(route.request().postData()).text;
    return route.fulfill({ status: 400, json: { error: 'read' } });
  });
  await page.goto(`${site.address}/review`);
  const text = page.getByLabel('The game as text');
  const long = `${'5/1a3/5/3A1/5 r - 1 @1 d2d1 @1 b4a5 0-1\n'.repeat(300)}`;
  await page.getByLabel('A file with games').setInputFiles({ name: 'many.txt', mimeType: 'text/plain', buffer: Buffer.from(long) });
  await page.getByText(`many.txt, ${long.length.toLocaleString('en')} characters`).waitFor();
  assert.equal(await text.isVisible(), false);
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('alert').filter({ hasText: 'read' }).waitFor();
  assert.equal(sent, long);
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'Remove' }).click();
  assert.equal(await text.inputValue(), '');
  await context.close();
});

test('a review shows that it goes on', async () => {
  const { context, page } = await open(browser, WINDOWS.desktop);
  await page.route('**/api/review', () => {});
  await page.goto(`${site.address}/review`);
  await page.getByLabel('The game as text').fill('5/1a3/5/3A1/5 r - 1 @1 d2d1 @1 b4a5 0-1');
  await page.getByRole('button', { name: 'Review' }).click();
  const bar = page.getByRole('progressbar', { name: 'Time of the review' });
  await bar.waitFor();
  const value = () => bar.evaluate((element) => element.value);
  const before = await value();
  await page.waitForFunction((before) => document.querySelector('progress').value > before, before);
  assert.deepEqual(await violations(page), []);
  await context.close();
});

test('no word about a roll before the die shows it', async () => {
  const { context, page, problems } = await open(browser, { ...WINDOWS.desktop, reducedMotion: 'no-preference' });
  await page.addInitScript(() => {
    window.early = [];
    addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
      const told = document.querySelector('.status')?.textContent.match(/has rolled a (\d)/)?.[1];
      const shown = document.querySelector('wf-dice')?.getAttribute('aria-label');
      if (told && shown !== `Rolled: ${told}`) window.early.push(`${told}: ${shown}`);
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true }));
  });
  await enter(page, site, { game: 'einstein', players: [PERSON, agent('random')] });
  for (let move = 1; move < 4; move += 1) {
    await page.locator('.status', { hasText: 'has rolled' }).waitFor();
    await page.locator('.square.movable').first().click();
    await page.locator('.square.target').first().click();
    await page.waitForFunction((count) => document.querySelectorAll('.step').length >= count || document.querySelector('.banner.shown'), 2 * move);
    if (await page.locator('.banner.shown').isVisible()) break;
  }
  assert.deepEqual(await page.evaluate(() => window.early), []);
  assert.deepEqual(problems, []);
  await context.close();
});

test('an unknown game is named, with those that there are', async () => {
  const { context, page } = await open(browser, WINDOWS.desktop);
  for (const path of ['/', '/learn', '/analyse', '/learn/puzzle/1']) {
    await page.goto(`${site.address}${path}?game=halma`);
    await page.getByText('There is no game called “halma”. The games here are EinStein').waitFor();
  }
  await context.close();
});

test('a clock stands still while the server cannot be reached', async () => {
  const { context, page } = await open(browser, WINDOWS.desktop);
  let line;
  await page.routeWebSocket(/\/live$/, (route) => {
    if (line) return route.close({ code: 3001 });
    line = route;
    route.connectToServer();
  });
  await enter(page, site, { game: 'einstein', players: [PERSON, PERSON], clock: { seconds: 60, increment: 0 } });
  await page.locator('.square.movable').first().waitFor();
  const clock = page.locator('.clock[data-side="0"]');
  await page.waitForFunction(() => document.querySelector('.clock[data-side="0"]')?.textContent !== '1:00');
  await line.close({ code: 3001 });
  await page.getByText('The connection to the server is lost').waitFor();
  const before = await clock.innerText();
  await page.waitForTimeout(2300);
  assert.equal(await clock.innerText(), before);
  assert.deepEqual(await violations(page), []);
  await context.close();
});

test('a run that is not there is said to be missing, in words for visitors', async () => {
  const { context, page } = await open(browser, WINDOWS.desktop);
  await page.goto(`${site.address}/watch/none`);
  await page.getByText('No tournament, match or training run has this name.').waitFor();
  assert.doesNotMatch(await page.locator('main').innerText(), /`|--runs/);
  await context.close();
});

test('the page on fair dice says what its check cannot show', async () => {
  const { context, page } = await open(browser, WINDOWS.desktop);
  await page.goto(`${site.address}/dice`);
  await page.getByText('Only dice on the table help against that.').waitFor();
  assert.doesNotMatch(await page.locator('main').innerText(), /neither the server nor the players/i);
  await context.close();
});
