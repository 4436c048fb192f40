// Two people, each with a browser of their own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERSON, WINDOWS, agent, ask, browser, entered, makeMove, open, shoot, site, together, violations } from './browser.js';

together();

/** What browsers note while a server is away. */
const lost = (text) => !/WebSocket connection|Failed to load resource|ERR_CONNECTION/.test(text);

/** Two pages in one room; the guest comes by the invitation and is the second side. */
async function two(request) {
  const { id, token, invitation } = await ask(site, '/api/rooms', { players: [PERSON, PERSON], guest: 1, ...request });
  const [host, guest] = [await open(browser, WINDOWS.desktop), await open(browser, WINDOWS.phone)];
  await host.page.addInitScript(([id, token, invitation]) => {
    localStorage.setItem(`room:${id}`, token);
    localStorage.setItem(`invitation:${id}`, invitation);
  }, [id, token, invitation]);
  await host.page.goto(`${site.address}/room/${id}`);
  const address = await host.page.getByRole('textbox', { name: 'Invitation' }).inputValue();
  assert.equal(address, `${site.address}/room/${id}#${invitation}`);
  await host.page.locator('.qr path').waitFor();
  return { id, address, host, guest, pages: [host.page, guest.page] };
}

/** Lets whoever is to move play, so many moves or until the game is over. */
async function play(pages, most) {
  for (let move = 0; move < most; move += 1) {
    const turn = await toMove(pages);
    if (!turn) return true;
    await makeMove(turn);
  }
  return false;
}

/** The page whose turn it is; null when the game is over. */
async function toMove(pages) {
  for (let look = 0; look < 2400; look += 1) {
    for (const page of pages) {
      if (await page.locator('.banner.shown').isVisible()) return null;
      if (await page.locator('.square.movable').count()) return page;
    }
    await pages[0].waitForTimeout(25);
  }
  return assert.fail('nobody is to move');
}

const steps = (page, count) => page.waitForFunction((count) => document.querySelectorAll('.step').length === count, count);
/** Waits until the page says something. */
const says = (page, words) => page.locator('#main').getByText(words).first().waitFor();
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

/** The dice are right, and are those that this browser has kept. */
async function checked(page) {
  await page.getByRole('link', { name: 'Check the dice' }).click();
  await says(page, 'kept by this browser');
  await page.locator('.verdict.right').waitFor();
}

test('EWN: both arrange, a server is killed, a move is taken back, a rematch changes sides', async () => {
  const { id, address, host, guest, pages } = await two({ game: 'einstein', arrange: true });
  await says(host.page, 'Arrange your pieces: you are red');
  await shoot(host.page, 'invite-desktop-light');
  await guest.page.goto(address);
  await entered(guest.page);
  await says(guest.page, 'Arrange your pieces: you are blue');
  assert.equal(await guest.page.evaluate(() => location.hash), '');
  await says(host.page, 'Arrange your pieces: you are red');
  await host.page.getByRole('textbox', { name: 'Invitation' }).waitFor({ state: 'detached' });
  // Neither sees a piece of the other.
  for (const page of pages) assert.equal(await page.locator('.piece').count(), 6);
  await press(host.page, 'Shuffle');
  await press(host.page, 'Done');
  await says(host.page, 'Both players arrange their pieces');
  // The server keeps the set-up secret, even from a page that is loaded again, which must not show another one.
  assert.equal(await host.page.locator('.piece').count(), 6);
  await host.page.reload();
  await says(host.page, 'Both players arrange their pieces');
  assert.equal(await host.page.locator('.piece').count(), 0);
  assert.equal(await guest.page.locator('.piece').count(), 6);
  assert.deepEqual(await violations(guest.page), []);
  await shoot(guest.page, 'arrange-phone-light');
  await press(guest.page, 'Done');
  await toMove(pages);

  // Whoever comes later watches, and the first two are named as what they are.
  const third = await open(browser, WINDOWS.desktop);
  await third.page.goto(address);
  await says(third.page, 'Somebody else has used this invitation: you are watching.');
  await says(host.page, '1 person is watching.');
  await host.page.locator('.player', { hasText: 'Red' }).getByText('You').waitFor();
  await host.page.locator('.player', { hasText: 'Blue' }).getByText('online').waitFor();

  assert.equal(await play(pages, 4), false);
  for (const page of pages) await steps(page, 4);
  assert.equal(await third.page.locator('.square.movable').count(), 0);
  // While two people play, nobody is offered an engine.
  for (const page of [...pages, third.page]) assert.equal(await page.locator('main').getByRole('link', { name: 'Analyse' }).count(), 0);
  await site.restart();
  for (const page of pages) await page.waitForFunction(() => document.querySelector('.line')?.textContent === '');
  for (const page of pages) assert.equal(await page.locator('.step').count(), 4);

  // The first offer is declined, the second is taken.
  const asks = pages[0];
  for (const answer of ['Decline', 'Accept']) {
    await press(asks, 'Ask to take back');
    await says(pages[1], 'Red proposes to take back their last move');
    await shoot(pages[1], 'offer-phone-light');
    await press(pages[1], answer);
    await asks.locator('#main').getByText('You have asked').waitFor({ state: 'detached' });
  }
  for (const page of pages) await page.waitForFunction(() => document.querySelectorAll('.step').length < 4);
  assert.equal(await play(pages, 60), true);
  for (const page of pages) {
    await page.locator('.banner.shown').waitFor();
    await says(page, 'A game with take-backs.');
  }
  await shoot(pages[0], 'people-over-desktop-light');
  await press(guest.page, 'Rematch');
  await press(host.page, 'Accept');
  for (const page of pages) {
    await page.waitForURL((url) => url.pathname.startsWith('/room/') && !url.pathname.endsWith(id));
    await entered(page);
  }
  await says(host.page, 'Arrange your pieces: you are blue');
  await says(guest.page, 'Arrange your pieces: you are red');
  await press(host.page, 'Abort game');
  await press(host.page, 'Yes, abort it');
  await guest.page.locator('.banner.shown', { hasText: 'Aborted' }).waitFor();

  for (const page of pages) {
    await page.goto(`${site.address}/room/${id}`);
    await checked(page);
  }
  for (const { context, problems } of [host, guest, third]) {
    assert.deepEqual(problems.filter(lost), []);
    await context.close();
  }
});

test('Dice Chess: a line breaks, and one leaves', async () => {
  const { address, host, guest, pages } = await two({ game: 'dicechess' });
  const lines = [];
  await guest.page.routeWebSocket(/\/live$/, (line) => {
    line.connectToServer();
    lines.push(line);
  });
  await guest.page.goto(address);
  await entered(guest.page);
  assert.equal(await play(pages, 5), false);
  await lines[lines.length - 1].close({ code: 3001 });
  assert.equal(await play(pages, 600), true);
  assert.match(await pages[0].locator('.banner').innerText(), /has won|draw/);
  await checked(pages[0]);
  await guest.context.close();
  await pages[0].getByRole('link', { name: 'The game' }).click();
  await entered(pages[0]);
  await pages[0].locator('.player', { hasText: 'Black' }).getByText('Away').waitFor();
  assert.deepEqual(host.problems, []);
  await host.context.close();
});

test('Dice Chess with three dice: the clock of one runs out', async () => {
  const { address, host, guest, pages } = await two({ game: 'dicechess3', clock: { seconds: 20, increment: 0 } });
  await guest.page.goto(address);
  await entered(guest.page);
  await play(pages, 8);
  await shoot(pages[1], 'three-dice-phone-light');
  // Nobody moves any more.
  for (const page of pages) await page.locator('.banner.shown', { hasText: 'time is over' }).waitFor({ timeout: 120_000 });
  const left = await pages[0].locator('.clock').allInnerTexts();
  assert.ok(left.includes('0:00'), String(left));
  for (const { context, problems } of [host, guest]) {
    assert.deepEqual(problems, []);
    await context.close();
  }
});

test('two people: from the first page to the first move', async () => {
  const host = await open(browser, WINDOWS.phone);
  await host.page.goto(site.address);
  await host.page.getByRole('radio', { name: 'Two people' }).check();
  await host.page.getByRole('radio', { name: 'On two devices' }).check();
  await host.page.getByRole('radio', { name: 'Random set-ups' }).check();
  await host.page.getByRole('radio', { name: 'Blue' }).check();
  await press(host.page, 'Play');
  await entered(host.page);
  await says(host.page, 'Waiting for the other player.');
  assert.deepEqual(await violations(host.page), []);
  await shoot(host.page, 'invite-phone-light');
  const guest = await open(browser, WINDOWS.desktop);
  await guest.page.goto(await host.page.getByRole('textbox', { name: 'Invitation' }).inputValue());
  await entered(guest.page);
  await says(guest.page, 'Your turn');
  await makeMove(guest.page);
  await says(host.page, 'Your turn');
  // A page that is loaded again still plays its side.
  await guest.page.reload();
  await guest.page.locator('.player', { hasText: 'Red' }).getByText('You').waitFor();
  for (const { context, problems } of [host, guest]) {
    assert.deepEqual(problems, []);
    await context.close();
  }
});

test('whoever looks at an earlier move is brought back when it is their turn, and others see that the game goes on', async () => {
  const { id, address, host, guest, pages } = await two({ game: 'dicechess' });
  await guest.page.goto(address);
  await entered(guest.page);
  await play(pages, 2);
  const watcher = await open(browser, WINDOWS.desktop);
  await watcher.page.goto(`${site.address}/room/${id}`);
  for (const { page } of [guest, watcher]) {
    await steps(page, 2);
    await page.locator('.step').first().click();
    await says(page, 'Turn 1');
  }
  await makeMove(await toMove([host.page]));
  await guest.page.locator('.square.movable').first().waitFor();
  assert.match(await guest.page.title(), /Your turn/);
  // Whoever only watches goes on looking at the first move.
  await steps(watcher.page, 3);
  assert.match(await watcher.page.title(), /Black to move/);
  await says(watcher.page, 'Turn 1');
  // The end is told to all.
  await host.page.locator('.step').first().click();
  await says(host.page, 'Turn 1');
  await press(guest.page, 'Resign');
  await press(guest.page, 'Yes, resign');
  for (const { page } of [host, watcher]) await says(page, 'Black has resigned. White has won.');
  assert.equal(await host.page.getByRole('button', { name: 'Back to the game' }).count(), 0);
  for (const { context, problems } of [host, guest, watcher]) {
    assert.deepEqual(problems, []);
    await context.close();
  }
});

test('whoever only looks at a game is not told that it is their turn', async () => {
  const { id, token } = await ask(site, '/api/rooms', { game: 'einstein', players: [PERSON, agent('greedy')] });
  await ask(site, `/api/rooms/${id}`, { token, version: 0, do: 'begin', salt: 'pepper' });
  const { context, page, problems } = await open(browser, WINDOWS.phone);
  await page.goto(`${site.address}/room/${id}`);
  await says(page, 'Red to move');
  assert.equal(await page.locator('.player', { hasText: 'You' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Resign' }).count(), 0);
  assert.equal(await page.locator('.square.movable').count(), 0);
  assert.deepEqual(problems, []);
  await context.close();
});

test('a record that is not what was played is called forged', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(site.address);
  await page.getByRole('radio', { name: 'Two people' }).check();
  await press(page, 'Play');
  await entered(page);
  const id = page.url().split('/').at(-1);
  for (let move = 0; move < 6; move += 1) await makeMove(page);
  for (const times of [5, 4]) {
    await press(page, 'Take back');
    await steps(page, times);
  }
  await makeMove(page);
  await press(page, 'Resign');
  await press(page, 'Yes, resign');
  await page.locator('.banner.shown').waitFor();
  const record = await ask(site, `/api/rooms/${id}/record`);
  const forgeries = {
    'another seed': (game) => Object.assign(game.dice, { seed: '0'.repeat(64) }),
    'another commitment': (game) => Object.assign(game.dice, { commitment: '0'.repeat(64) }),
    'another salt': (game) => Object.assign(game.dice, { salt: 'salt' }),
    'ones and sixes': (game) => game.steps.forEach((step, n) => Object.assign(step, { roll: n % 2 ? '6' : '1' })),
    'another roll': (game) => Object.assign(game.steps[2], { roll: game.steps[2].roll === '1' ? '2' : '1' }),
    'a ply left out': (game) => game.steps.splice(1, 1),
    'the last ply left out': (game) => game.steps.pop(),
    'shifted numbers': (game) => game.steps.forEach((step) => Object.assign(step, { number: step.number + 1 })),
    'a roll passed over': (game) => Object.assign(game.steps[1], { void: [game.steps.shift().roll] }),
    'take-backs that are not told': (game) => delete game.taken_back,
  };
  for (const [what, forge] of Object.entries(forgeries)) {
    const forged = structuredClone(record);
    forge(forged);
    await page.route('**/record', (route) => route.fulfill({ json: forged }));
    await page.goto(`${site.address}/dice/${id}`);
    await page.locator('.verdict.wrong', { hasText: 'Forged' }).waitFor().catch(() => assert.fail(what));
    await page.unroute('**/record');
  }
  // Whole and consistent, but not what this browser has kept: made up afterwards.
  await page.evaluate((id) => localStorage.setItem(`dice:${id}`, JSON.stringify({ commitment: '0'.repeat(64), salt: 'x' })), id);
  await page.goto(`${site.address}/dice/${id}`);
  await page.locator('.verdict.wrong', { hasText: 'not the one that was shown before the game' }).waitFor();
  await page.evaluate((id) => localStorage.removeItem(`dice:${id}`), id);
  await page.reload();
  await page.locator('.verdict.right').waitFor();
  await says(page, 'This game was not started in this browser');
  assert.deepEqual(problems, []);
  await context.close();
});
