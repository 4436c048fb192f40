// A class behind one address: everybody gets the page and plays.

import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { test } from 'node:test';
import { WINDOWS, browser, entered, open, site, together } from './browser.js';

/** How many people are in the class. */
const CLASS = 30;

together('--class', String(CLASS));

/** Fetches a file as a browser does, over connections that it keeps. */
const fetched = (path, agent) =>
  new Promise((done, fail) => {
    get(site.address + path, { agent, headers: { accept: path === '/' ? 'text/html' : '*/*' } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => (text += part));
      response.on('end', () => done({ status: response.statusCode, text, headers: response.headers }));
    }).on('error', fail);
  });

test('twice as many browsers as are in the class get every file of the page', async () => {
  const agents = Array.from({ length: 2 * CLASS }, () => new Agent({ keepAlive: true, maxSockets: 6 }));
  const files = ['api.js', 'board.js', 'brief.js', 'dice.js', 'dom.js', 'moves.js', 'pieces.js', 'setup.js', 'sound.js', 'storage.js', 'pages/play.js', 'pages/shared.js'];
  await Promise.all(agents.map(async (agent) => {
    const { status, text } = await fetched('/', agent);
    assert.equal(status, 200);
    const folder = text.match(/"(\/files\/[0-9a-f]+)\/app\.js"/)[1];
    for (const { status, headers } of await Promise.all(files.map((file) => fetched(`${folder}/${file}`, agent)))) {
      assert.equal(status, 200);
      assert.match(headers['cache-control'], /immutable/);
    }
    assert.equal((await fetched('/api/games', agent)).status, 200);
  }));
  for (const agent of agents) agent.destroy();
});

test('all of a class play, and their boards are in sight on Watch', async () => {
  const contexts = [];
  for (let number = 0; number < CLASS; number += 5) {
    contexts.push(...await Promise.all(Array.from({ length: 5 }, async () => {
      const { context, page } = await open(browser, WINDOWS.phone);
      await page.goto(site.address);
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await entered(page);
      await page.locator('.square.movable').first().click();
      await page.locator('.square.target').first().click();
      await page.locator('.step').first().waitFor();
      return context;
    })));
  }
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(`${site.address}/watch`);
  await page.waitForFunction((count) => document.querySelectorAll('.boards li:has(.piece)').length === count, CLASS);
  assert.deepEqual(problems, []);
  for (const open of [...contexts, context]) await open.close();
});

test('a page that is loaded again asks for itself and the list of open games only', async () => {
  const { context, page } = await open(browser, WINDOWS.desktop);
  await page.goto(site.address, { waitUntil: 'networkidle' });
  await page.reload({ waitUntil: 'networkidle' });
  const asked = await page.evaluate(() => performance.getEntriesByType('resource').filter(({ transferSize }) => transferSize > 0).map(({ name }) => new URL(name).pathname));
  assert.deepEqual(asked, ['/api/lobby']);
  await context.close();
});
