// Plays in a real browser, in a small window and in a large one.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PERSON, WINDOWS, agent, ask, browser, enter, entered, makeMove, open, shoot, site, square, together, violations } from './browser.js';

together();

/** Chooses a game of two people at one board. */
async function chooseTwo(page) {
  await page.goto(site.address);
  await page.getByRole('radio', { name: 'Two people' }).check();
}

/** Plays until the game is over. */
async function playOn(page, most = 60) {
  const over = page.locator('.banner.shown');
  const pieces = page.locator('.square.movable');
  for (let turn = 0; turn < most; turn += 1) {
    await over.or(pieces.first()).first().waitFor();
    if (await over.isVisible()) return;
    await makeMove(page);
  }
  assert.fail('the game does not end');
}

for (const [kind, options] of Object.entries(WINDOWS)) {
  describe(kind, () => {
    test('a whole game is played, and its dice are checked', async () => {
      const { context, page, problems } = await open(browser, options);
      await page.goto(site.address);
      await page.locator('input[type=range]').fill('1').catch(() => {});
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await entered(page);
      await page.locator('.square.movable').first().waitFor();
      await shoot(page, `room-${kind}-light`);
      assert.deepEqual(await violations(page), []);
      await playOn(page);
      assert.match(await page.locator('.banner').innerText(), /has won/);
      assert.deepEqual(await violations(page), []);
      await shoot(page, `over-${kind}-light`);
      // An earlier position is looked at, and why its move was made.
      await page.locator('.step').first().click();
      await page.getByRole('button', { name: 'Why?' }).click();
      await page.locator('.why', { hasText: 'expects' }).waitFor();
      await page.getByRole('button', { name: 'Back to the game' }).click();
      await page.getByRole('link', { name: 'Check the dice' }).click();
      await page.locator('.verdict.right').waitFor();
      await shoot(page, `checked-${kind}-light`);
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('a whole game of Dice Chess is played against an agent', async () => {
      const { context, page, problems } = await open(browser, options);
      await enter(page, site, { game: 'dicechess', players: [PERSON, agent('random')] });
      await playOn(page, 400);
      assert.match(await page.locator('.banner').innerText(), /White has won|Black has won|draw/);
      assert.deepEqual(await violations(page), []);
      await shoot(page, `chess-${kind}-light`);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('three dice are spent one by one, and a side that cannot move passes', async () => {
      const { context, page, problems } = await open(browser, options);
      await enter(page, site, { game: 'dicechess3', players: [PERSON, PERSON], typed_dice: true });
      const rolls = async (...faces) => {
        for (const face of faces) await page.getByRole('button', { name: `Die ${face}` }).click();
      };
      await rolls('bishop', 'pawn', 'knight');
      await page.getByRole('img', { name: 'Rolled: PNB' }).waitFor();
      await square(page, 'e2').click();
      await square(page, 'e4').click();
      await page.getByRole('img', { name: 'Rolled: PNB, left: NB' }).waitFor();
      assert.equal(await page.locator('wf-dice .used').count(), 1);
      await square(page, 'f1').click();
      await square(page, 'c4').click();
      await page.getByRole('img', { name: 'Rolled: PNB, left: N', exact: true }).waitFor();
      await square(page, 'g1').click();
      await square(page, 'f3').click();
      await page.waitForFunction(() => document.querySelectorAll('.step').length === 3);
      // Three moves of one roll are one line.
      assert.equal(await page.locator('.moves li').count(), 1);
      await rolls('rook', 'rook', 'rook');
      await page.getByText('No piece can move with this roll').waitFor();
      // A slip is corrected.
      await page.getByRole('button', { name: 'Take back' }).click();
      await rolls('rook', 'rook', 'rook');
      await page.getByRole('button', { name: 'Pass' }).click();
      await page.locator('.move-text', { hasText: 'pass' }).waitFor();
      // What is taken back is a choice, not the pass.
      await page.getByRole('button', { name: 'Take back' }).click();
      await page.waitForFunction(() => document.querySelectorAll('.step').length < 3);
      await page.getByRole('img', { name: 'Rolled: PNB, left: N' }).waitFor();
      assert.deepEqual(await violations(page), []);
      await shoot(page, `chess3-${kind}-light`);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('a clock runs, and its end ends the game', async () => {
      const { context, page, problems } = await open(browser, options);
      await enter(page, site, { game: 'einstein', players: [PERSON, PERSON], clock: { seconds: 3, increment: 60 } });
      await page.locator('.square.movable').first().click();
      await page.locator('.square.target').first().click();
      // The second moves not, and the first has got its increment.
      await page.locator('.banner.shown', { hasText: 'Blue’s time is over' }).waitFor();
      assert.match(await page.locator('.clock[data-side="0"]').innerText(), /1:0/);
      assert.equal(await page.locator('.clock[data-side="1"]').innerText(), '0:00');
      await page.locator('#main').getByRole('link', { name: 'Review' }).click();
      await page.locator('.graph svg').waitFor();
      assert.deepEqual(problems, []);
      await context.close();
    });
  });
}

test('a set-up is arranged by dragging and by keyboard, and a game is played by keyboard alone', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await chooseTwo(page);
  const words = async (name) => (await square(page, name).getAttribute('aria-label')).split(',')[1].trim();
  const [corner, next] = [await words('a5'), await words('b5')];
  const [from, to] = [await square(page, 'a5').boundingBox(), await square(page, 'b5').boundingBox()];
  await page.mouse.move(from.x + 30, from.y + 30);
  await page.mouse.down();
  await page.mouse.move(to.x + 30, to.y + 30, { steps: 8 });
  await page.mouse.up();
  assert.deepEqual([await words('a5'), await words('b5')], [next, corner]);
  await square(page, 'a5').focus();
  // The board is turned, as red is played from below.
  for (const key of ['Enter', 'ArrowLeft', 'Enter']) await page.keyboard.press(key);
  assert.deepEqual([await words('a5'), await words('b5')], [corner, next]);

  await page.getByRole('button', { name: 'Play', exact: true }).focus();
  await page.keyboard.press('Enter');
  await entered(page);
  await page.locator('.square.movable').first().waitFor();
  await page.locator('.square.movable').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('.square.target').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('.step').first().waitFor();
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.locator('.step').first().waitFor({ state: 'detached' });
  assert.deepEqual(problems, []);
  await context.close();
});

test('a page that is loaded again goes on with its game', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.phone);
  await chooseTwo(page);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await entered(page);
  await page.locator('.square.movable').first().click();
  await page.locator('.square.target').first().click();
  await page.locator('.step').first().waitFor();
  await page.reload();
  await page.locator('.step').first().waitFor();
  await page.locator('.square.movable').first().waitFor();
  await page.goto(site.address);
  await page.getByRole('heading', { name: 'Your unfinished games' }).waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test('who listens is told the moves and who has won, and keeps the focus', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  const { id, token } = await enter(page, site, { game: 'dicechess', players: [PERSON, PERSON], position: '8/4P3/8/8/k7/8/8/4K3 w - - 0 1', typed_dice: true });
  const said = (words) => page.waitForFunction((wanted) => document.getElementById('said').textContent.includes(wanted), words);
  const onBoard = () => page.waitForFunction(() => document.activeElement?.closest('wf-board'));
  await square(page, 'e7').waitFor();
  assert.match(await square(page, 'e7').getAttribute('aria-label'), /^e7, white pawn/);
  await page.getByRole('button', { name: 'Roll P' }).focus();
  await page.keyboard.press('Enter');
  await said('White has rolled a pawn');
  await onBoard();
  await square(page, 'e7').press('Enter');
  await square(page, 'e8').press('Enter');
  await page.getByRole('button', { name: 'Knight' }).press('Enter');
  await said('White plays e7e8n. ');
  await onBoard();
  const { version } = await ask(site, `/api/rooms/${id}`);
  await ask(site, `/api/rooms/${id}`, { token, version, do: 'resign' });
  await said('Black has resigned. White has won');
  // A game that is over is walked through with keys.
  await page.locator('.step').first().focus();
  await page.keyboard.press('Home');
  await page.locator('.status', { hasText: 'White rolls a pawn' }).waitFor();
  await page.getByRole('button', { name: 'Back to the game' }).waitFor();
  assert.ok(await page.evaluate(() => document.activeElement.classList.contains('step')));
  await page.keyboard.press('ArrowRight');
  await page.locator('.status', { hasText: '1 move.' }).waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test('the games to go on with are those of this browser, however many others are played', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  const request = { game: 'einstein', players: [PERSON, PERSON] };
  const { id, token } = await enter(page, site, request);
  await page.locator('.square.movable').first().waitFor();
  // More games than the list of last games has.
  for (let number = 0; number < 31; number += 1) {
    const other = await ask(site, '/api/rooms', request);
    await ask(site, `/api/rooms/${other.id}`, { token: other.token, version: other.version, do: 'begin', salt: 'salt' });
  }
  await page.goto(site.address);
  await page.locator('.recent a').first().waitFor();
  assert.deepEqual(await page.locator('.recent a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))), [`/room/${id}`]);
  // Games that nobody has played are not watched.
  assert.ok((await ask(site, '/api/rooms')).every(({ id: listed }) => listed !== id));
  const { version } = await ask(site, `/api/rooms/${id}`);
  await ask(site, `/api/rooms/${id}`, { token, version, do: 'resign' });
  await page.reload();
  await page.waitForFunction(() => localStorage.getItem('going') === '[]');
  assert.equal(await page.locator('.recent a').count(), 0);
  assert.deepEqual(problems, []);
  await context.close();
});

test('dice are typed in, moves are explained, sound is off until it is turned on', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await enter(page, site, { game: 'einstein', players: [PERSON, agent('greedy')], typed_dice: true });
  const sound = page.getByRole('button', { name: 'Sound' });
  assert.equal(await sound.getAttribute('aria-pressed'), 'false');
  await sound.click();
  assert.equal(await sound.getAttribute('aria-pressed'), 'true');
  await page.getByRole('button', { name: 'Explain its moves' }).click();
  // A slip is corrected.
  await page.getByRole('button', { name: 'Roll 5' }).click();
  await page.locator('.status', { hasText: 'Red has rolled a 5.' }).waitFor();
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.getByRole('button', { name: 'Roll 4' }).click();
  await page.locator('.status', { hasText: 'Red has rolled a 4.' }).waitFor();
  await page.locator('.square.movable').first().click();
  await page.locator('.square.target').first().click();
  await page.getByRole('button', { name: 'Roll 2' }).click();
  await page.locator('.why', { hasText: 'blue expects' }).waitFor();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByText('Resign this game?').waitFor();
  await page.getByRole('button', { name: 'No, play on' }).click();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Yes, resign' }).click();
  await page.locator('.banner.shown', { hasText: 'Red has resigned. Blue has won.' }).waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test('what was sent is not done again when the line comes back', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  /** Every line to the room, the last one last. */
  const lines = [];
  let sent = 0;
  await page.routeWebSocket(/\/live$/, (line) => {
    const server = line.connectToServer();
    line.onMessage((message) => {
      sent += 1;
      server.send(message);
    });
    lines.push(line);
  });
  await enter(page, site, { game: 'einstein', players: [PERSON, PERSON] });
  for (let move = 0; move < 6; move += 1) await makeMove(page);
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.step').length === 5);
  const before = sent;
  for (const times of [1, 2]) {
    const count = lines.length;
    await lines[count - 1].close({ code: 3001 });
    while (lines.length === count) await page.waitForTimeout(50);
    await page.waitForFunction(() => document.querySelector('.line')?.textContent === '');
    assert.equal(await page.locator('.step').count(), 5, `line ${times}`);
    assert.equal(await page.locator('.problem').first().innerText(), '');
  }
  assert.equal(sent, before);
  // The game goes on over the new line.
  await makeMove(page);
  assert.equal(await page.locator('.step').count(), 6);
  assert.deepEqual(problems, []);
  await context.close();
});

test('a double click on Play makes one room', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(site.address);
  const made = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/rooms')) made.push(request.url());
  });
  await page.getByRole('button', { name: 'Play', exact: true }).dblclick();
  await entered(page);
  assert.equal(made.length, 1);
  assert.deepEqual(problems, []);
  await context.close();
});
