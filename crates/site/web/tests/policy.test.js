// A site whose operator allows no analysis of games in progress.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERSON, WINDOWS, agent, ask, browser, enter, makeMove, open, site, together } from './browser.js';

together('--no-live-analysis', '--no-lobby');

test('no engine is offered before the end of a game, and no list of open games', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  const offers = () => page.locator('main').getByRole('link', { name: 'Analyse' }).or(page.getByRole('button', { name: /Explain its moves|Why\?/ }));
  const { id, token } = await enter(page, site, { game: 'einstein', players: [PERSON, agent('random')] });
  await page.locator('.square.movable').first().waitFor();
  await makeMove(page);
  assert.equal(await offers().count(), 0);
  await page.locator('.step').first().click();
  await page.getByRole('button', { name: 'Back to the game' }).waitFor();
  assert.equal(await offers().count(), 0);
  const { version } = await ask(site, `/api/rooms/${id}`);
  await ask(site, `/api/rooms/${id}`, { token, version, do: 'resign' });
  await page.locator('.banner.shown').waitFor();
  await page.locator('main').getByRole('link', { name: 'Analyse' }).waitFor();
  await page.goto(`${site.address}/?mode=people`);
  await page.getByRole('radio', { name: 'On two devices' }).check();
  assert.equal(await page.getByText('Who may join').count(), 0);
  await page.getByRole('textbox', { name: 'Join with a code' }).waitFor();
  assert.equal(await page.getByText('Open games on this server').count(), 0);
  assert.deepEqual(problems, []);
  await context.close();
});
