// A site whose running games are not analysed and where people play by invitation only.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERSON, WINDOWS, agent, ask, browser, enter, makeMove, open, site, together } from './browser.js';

together('--no-live-analysis', '--no-lobby');

test('no engine is offered while a game goes on, and every one after it', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  const { id, token } = await enter(page, site, { game: 'einstein', players: [PERSON, agent('greedy')] });
  await makeMove(page);
  await page.locator('.square.movable').first().waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('button', { name: 'Back to the game' }).waitFor();
  const offered = ['Analyse', 'Why?', 'Explain its moves', 'Play from here'];
  const shown = async () => (await page.locator('#main').locator('a, button').allInnerTexts()).filter((text) => offered.includes(text));
  assert.deepEqual(await shown(), []);
  const { version } = await ask(site, `/api/rooms/${id}`);
  await ask(site, `/api/rooms/${id}`, { token, version, do: 'resign' });
  await page.locator('.banner.shown').waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('button', { name: 'Why?' }).waitFor();
  assert.deepEqual((await shown()).sort(), ['Analyse', 'Explain its moves', 'Play from here', 'Why?']);
  assert.deepEqual(problems, []);
  await context.close();
});

test('without a list of open games people still join by a code', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(`${site.address}/?mode=people`);
  await page.getByRole('radio', { name: 'On two devices' }).check();
  await page.getByRole('textbox', { name: 'Join with a code' }).waitFor();
  assert.equal(await page.getByText('Who may join').count(), 0);
  assert.equal(await page.getByText('Open games on this server').count(), 0);
  assert.deepEqual(problems, []);
  await context.close();
});
