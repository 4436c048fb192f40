// Playing with others: names, codes, and the list of open games, each person with a browser of their own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WINDOWS, ask, browser, entered, hidden, makeMove, open, shoot, site, together, violations } from './browser.js';

together();

const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

/** Opens the first page as somebody with a name. */
async function visitor(name, options = WINDOWS.desktop) {
  const person = await open(browser, options);
  await person.page.goto(site.address);
  await person.page.getByRole('textbox', { name: 'Your name' }).fill(name);
  return person;
}

/** Opens a game of two on two devices. */
async function host(name, who, options) {
  const person = await visitor(name, options);
  for (const choice of ['Two people', 'On two devices', who, 'Random set-ups', 'Red']) await person.page.getByRole('radio', { name: choice }).check();
  await press(person.page, 'Play');
  await entered(person.page);
  return person;
}

async function close(...people) {
  for (const { context, problems } of people) {
    assert.deepEqual(problems, []);
    await context.close();
  }
}

/** Both see the names, and each makes a move. */
async function play(one, other, [first, second]) {
  for (const [page, name] of [[one.page, second], [other.page, first]]) await page.locator('.player', { hasText: `${name}, online` }).waitFor();
  for (const { page } of [one, other]) {
    await page.locator('.square.movable').first().waitFor();
    await makeMove(page);
  }
}

test('two people meet by a code', async () => {
  const ada = await host('Ada', 'Whoever you invite');
  const code = await ada.page.locator('b.code').innerText();
  assert.match(code, /^[A-HJ-NP-Z]{5}$/);
  assert.deepEqual(await violations(ada.page), []);
  await shoot(ada.page, 'invite-code');
  // An invited game is not in the list.
  assert.deepEqual(await ask(site, '/api/lobby'), []);
  const grace = await visitor('<img src=x onerror=alert(1)>', WINDOWS.phone);
  await grace.page.getByRole('textbox', { name: 'Join with a code' }).fill('abc');
  await press(grace.page, 'Join');
  await grace.page.getByRole('alert').getByText('A code has five letters.').waitFor();
  await grace.page.getByRole('textbox', { name: 'Join with a code' }).fill(` ${code.slice(0, 2)}-${code.slice(2).toLowerCase()}`);
  await press(grace.page, 'Join');
  await entered(grace.page);
  await play(ada, grace, ['Ada', '<img src=x onerror=alert(1)>'.slice(0, 24)]);
  assert.deepEqual(await hidden(grace.page), []);
  const watcher = await open(browser, WINDOWS.phone);
  await watcher.page.goto(`${site.address}/watch`);
  await watcher.page.getByText('Red: Ada, Blue: <img').first().waitFor();
  assert.deepEqual(await hidden(watcher.page), []);
  await close(ada, grace, watcher);
});

test('two people meet in the list of open games, which shows only who is there', async () => {
  const grace = await visitor('', WINDOWS.phone);
  await grace.page.getByText('Nobody is waiting.').waitFor();
  const ada = await host('Ada', 'Anybody here');
  await ada.page.getByText('Your game is in the list of open games').waitFor();
  await grace.page.getByRole('button', { name: 'Play against Ada' }).waitFor();
  await grace.page.getByText('EinStein würfelt nicht! · no clock · you are blue').waitFor();
  assert.deepEqual(await hidden(grace.page), []);
  assert.deepEqual(await violations(grace.page), []);
  await shoot(grace.page, 'open-games');
  // Whoever leaves is not in the list; whoever comes back is, and sees it as their own.
  const { page } = ada;
  const room = page.url();
  await page.getByRole('link', { name: 'wurfel, start page' }).click();
  await grace.page.getByText('Nobody is waiting.').waitFor();
  await page.goto(room);
  await entered(page);
  const second = await ada.context.newPage();
  await second.goto(site.address);
  await second.getByRole('button', { name: 'Your game' }).click();
  await second.waitForURL(room);
  await second.close();
  await grace.page.getByRole('button', { name: 'Play against Ada' }).click();
  await entered(grace.page);
  assert.equal(grace.page.url(), room);
  await ada.page.locator('.player', { hasText: 'online' }).waitFor();
  assert.deepEqual(await ask(site, '/api/lobby'), []);
  for (const { page } of [ada, grace]) {
    await page.locator('.square.movable').first().waitFor();
    await makeMove(page);
  }
  await close(ada, grace);
});

test('whoever comes too late or guesses is told so', async () => {
  const person = await visitor('Eve');
  for (let guess = 0; guess < 12; guess += 1) {
    await person.page.getByRole('textbox', { name: 'Join with a code' }).fill('ZZZZZ');
    await press(person.page, 'Join');
    await person.page.getByRole('alert').getByText(guess < 10 ? 'No open game has this code.' : 'Too many wrong codes').waitFor();
  }
  await person.context.close();
});

test('a name stays, and an agent’s opponent has it', async () => {
  const person = await visitor('Ada');
  await person.page.reload();
  assert.equal(await person.page.getByRole('textbox', { name: 'Your name' }).inputValue(), 'Ada');
  await press(person.page, 'Play');
  await entered(person.page);
  const room = await ask(site, `/api/rooms/${person.page.url().split('/').at(-1)}`);
  assert.deepEqual(room.players.find(({ kind }) => kind === 'person'), { kind: 'person', name: 'Ada' });
  await person.page.goto(`${site.address}/`);
  await person.page.locator('.recent', { hasText: 'Ada' }).waitFor();
  await close(person);
});
