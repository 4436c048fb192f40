// Analyses, reviews and puzzles in a real browser, in a small window and in a large one.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WINDOWS, analysis, ask, browser, open, shoot, site, square, together, violations } from './browser.js';

together();

/** A rollout that says how far it is and does not end by itself. @returns when its line is closed */
function goOn(page) {
  const moves = [['a4b4', 0.57, 240, false], ['a4b3', 0.56, 240, false], ['a4a3', 0.5, 120, true]].map(([move, value, games, dropped]) => ({
    move, value, games, dropped, standard_error: 0.01, interval: [value - 0.02, value + 0.02],
    behind: move === 'a4b4' ? null : { value: 0.57 - value, standard_error: 0.01 },
  }));
  return new Promise((closed) => page.routeWebSocket(/rollout/, (socket) => {
    socket.onMessage((message) => {
      const { tag, games: wanted, position, agent, seed } = JSON.parse(message);
      socket.send(JSON.stringify({
        tag, last: false, wanted, truncate: null, command: 'wurfel rollout', position, agent, error_rate: 0.05, moves,
        games: 600, faults: 0, complete: false, seed, seconds: 1,
      }));
    });
    socket.onClose(() => closed());
  }));
}

for (const [kind, options] of Object.entries(WINDOWS)) {
  describe(kind, () => {
    test('a game that is uploaded is reviewed', async () => {
      const { context, page, problems } = await open(browser, options);
      await page.goto(`${site.address}/review`);
      await page.getByLabel('The game as text').fill('5/1a3/5/3A1/5 r - 1 @1 d2d1 @1 b4a5 0-1');
      await page.getByRole('button', { name: 'Review' }).click();
      await page.locator('.status', { hasText: 'd2d1' }).waitFor();
      await page.getByRole('group', { name: 'The worst moves' }).getByRole('button').first().click();
      assert.match(await page.locator('.scored .best').innerText(), /d2e1/);
      assert.deepEqual(await violations(page), []);
      await shoot(page, `reviewed-${kind}-light`);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('a position is analysed, changed and shared', async () => {
      const { context, page, problems } = await open(browser, options);
      await page.goto(`${site.address}/analyse?game=einstein&position=5/5/2A2/3b1/4c%20r%201%201`);
      await page.locator('.scored tbody tr').nth(2).waitFor();
      await page.getByRole('button', { name: 'All rolls' }).click();
      await page.locator('.scored .face').first().waitFor();
      assert.match(page.url(), /r\+-\+1/);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.locator('.palette').getByRole('radio', { name: 'blue 6' }).check();
      await page.getByRole('gridcell', { name: 'a5, empty' }).click();
      await page.waitForURL(/f4%2F5/);
      await page.getByLabel('Position as text').fill('nonsense');
      await page.getByLabel('Position as text').press('Enter');
      await page.getByRole('alert').filter({ hasText: "position 'nonsense'" }).waitFor();
      // What is wrong is said by the page, and the browser notes the refusal.
      assert.deepEqual(problems.filter((text) => !text.includes('400')), []);
      await context.close();
    });

    test('castling rights that the board rules out are dropped on request', async () => {
      const { context, page, problems } = await open(browser, options);
      await page.goto(site.address + analysis('dicechess', 'r3k3/8/8/8/8/8/8/R3K2R w KQq - 0 1'));
      const text = page.getByLabel('Position as text');
      await text.fill('r3k3/8/8/8/8/8/8/R4K1R w KQkq - 0 1');
      await text.press('Enter');
      await page.getByRole('alert').filter({ hasText: 'expected a king on e1' }).waitFor();
      await page.getByLabel('Drop castling rights').check();
      await page.waitForURL(/w\+q\+-\+0\+1/);
      assert.equal(await text.inputValue(), 'r3k3/8/8/8/8/8/8/R4K1R w q - 0 1');
      assert.deepEqual(problems.filter((told) => !told.includes('400')), []);
      await context.close();
      // A game without such rights has no such box.
      const other = await open(browser, options);
      await other.page.goto(`${site.address}/analyse?game=einstein`);
      await other.page.locator('.scored tbody tr').first().waitFor();
      assert.ok(await other.page.getByText('Drop castling rights').isHidden());
      await other.context.close();
    });

    test('the best moves are rolled out', async () => {
      const { context, page, problems } = await open(browser, options);
      await page.goto(site.address + analysis('einstein', '5/1A3/2B2/2c1a/5 b 4 1'));
      const rollout = page.getByRole('region', { name: 'Rollout' });
      await rollout.getByText('Settings of the rollout').click();
      await rollout.getByRole('combobox', { name: 'Games', exact: true }).selectOption('300');
      await rollout.getByLabel('Seed').fill('x');
      await rollout.getByRole('button', { name: 'Roll out' }).click();
      await rollout.getByRole('alert').filter({ hasText: 'seed ‘x’' }).waitFor();
      await rollout.getByLabel('Seed').fill('4');
      await rollout.getByRole('button', { name: 'Roll out' }).click();
      await rollout.getByText('is the best with').waitFor();
      assert.equal(await rollout.locator('tbody tr').count(), 3);
      const command = await rollout.getByLabel('Command for this rollout').inputValue();
      assert.equal(command, "wurfel rollout '5/1A3/2B2/2c1a/5 b 4 1' --game einstein --agent 'champion' --moves 3 --games 300 --seed 4");
      assert.deepEqual(await violations(page), []);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= options.viewport.width, 'the page is wider than the window');
      await shoot(page, `rolled-out-${kind}-light`);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('a rollout that goes on is stopped, and keeps what it has found until another position is shown', async () => {
      const { context, page, problems } = await open(browser, options);
      const ended = goOn(page);
      await page.goto(site.address + analysis('einstein', 'ABC2/DE3/F3f/3ed/2cba r 4 1'));
      const rollout = page.getByRole('region', { name: 'Rollout' });
      await rollout.getByRole('button', { name: 'Roll out' }).click();
      await rollout.getByRole('progressbar').waitFor();
      assert.match(await rollout.innerText(), /a4b4 leads with 57\.0 %.*240 of 1,000 games\. Not told apart from it: a4b3\./s);
      await shoot(page, `rolling-out-${kind}-light`);
      await rollout.getByRole('button', { name: 'Stop' }).click();
      await ended;
      assert.match(await rollout.innerText(), /Stopped after 240 of 1,000 games.*The command plays to the end/s);
      await page.getByRole('button', { name: 'All rolls' }).click();
      await page.locator('.scored .face').first().waitFor();
      assert.equal(await rollout.isVisible(), false);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('a puzzle is solved', async () => {
      const { context, page, problems } = await open(browser, options);
      await page.goto(`${site.address}/learn/puzzle/2`);
      const { moves, scene } = await (await fetch(`${site.address}/api/puzzles/einstein/2`)).json();
      const { from, to } = scene.moves.find(({ text }) => text === moves[0].move);
      const squares = page.locator('.square');
      await squares.nth(from).click();
      await squares.nth(to).click();
      await page.locator('.verdict.right').waitFor();
      await shoot(page, `solved-${kind}-light`);
      assert.deepEqual(await violations(page), []);
      await page.getByRole('link', { name: 'Next puzzle' }).click();
      await page.getByText('Puzzle 3', { exact: false }).first().waitFor();
      assert.deepEqual(problems, []);
      await context.close();
    });
  });
}

/** Opens a puzzle. @returns the page with the puzzle as the server sends it */
async function openPuzzle(game, number) {
  const opened = await open(browser, WINDOWS.phone);
  await opened.page.goto(`${site.address}/learn/puzzle/${number}?game=${game}`);
  const puzzle = await (await fetch(`${site.address}/api/puzzles/${game}/${number}`)).json();
  return { ...opened, puzzle };
}

/** Makes a move on the board, and chooses the piece of a promotion. @param {{ text: string, from: number, to: number }} move */
async function press(page, { text, from, to }, moves) {
  await page.locator('.square').nth(from).click();
  await page.locator('.square').nth(to).click();
  const same = moves.filter((other) => other.from === from && other.to === to);
  if (same.length > 1) await page.locator('.offers button').nth(same.findIndex((other) => other.text === text)).click();
}

test('a wrong answer to a puzzle with estimates is told what it gives away', async () => {
  const { context, page, problems, puzzle } = await openPuzzle('dicechess', 1);
  const { moves, right, scene, analyser } = puzzle;
  const wrong = moves[right];
  await press(page, scene.moves.find(({ text }) => text === wrong.move), scene.moves);
  await page.locator('.verdict.wrong').waitFor();
  const lost = (100 * (moves[0].value - wrong.value)).toFixed(1);
  assert.match(await page.locator('.verdict').innerText(), new RegExp(`gives away ${lost} points`));
  await page.getByText(`estimates of ${analyser}, not exact`).waitFor();
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(problems, []);
  await context.close();
});

test('a puzzle with three dice is solved by a whole turn, which can be begun again', async () => {
  const { context, page, problems, puzzle } = await openPuzzle('dicechess3', 1);
  const [{ moves }] = puzzle.turns;
  const play = async () => {
    let { scene } = puzzle;
    for (const [place, text] of moves.entries()) {
      await press(page, scene.moves.find((move) => move.text === text), scene.moves);
      if (place === 0 && moves.length > 1) await page.getByRole('button', { name: 'Start the turn again' }).waitFor();
      scene = await (await fetch(`${site.address}/api/scene?${new URLSearchParams({ game: 'dicechess3', position: scene.position, move: text })}`)).json();
      if (scene.roll) await page.getByText(`${text}. Left`, { exact: false }).first().waitFor({ state: 'attached' });
    }
  };
  await press(page, puzzle.scene.moves.find((move) => move.text === moves[0]), puzzle.scene.moves);
  await page.getByRole('button', { name: 'Start the turn again' }).click();
  await play();
  await page.locator('.verdict.right').waitFor();
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(problems, []);
  await context.close();
});

test('the line that is expected is shown where its first move is looked at, and what is known is exact', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(`${site.address}/analyse?game=einstein&position=5/5/2A2/3b1/4c%20r%201%201`);
  await page.locator('.badge', { hasText: 'exact' }).first().waitFor();
  await page.getByText('Main line').waitFor();
  const line = await page.locator('.variation .turn-chip').count();
  await page.locator('.scored tbody tr').first().hover();
  const arrows = (wanted) =>
    page.waitForFunction((count) => document.querySelectorAll('.overlay .arrow').length === count, wanted);
  await arrows(line);
  await page.mouse.move(5, 5);
  await arrows(3);
  // By keyboard, a move of the table is looked at, then played.
  await page.getByRole('button', { name: 'Play c3c2' }).focus();
  await arrows(1);
  await page.keyboard.press('Enter');
  await page.waitForURL(/2Ab1/);
  await page.getByText('for Blue, before the roll').waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test('a pawn becomes what is chosen', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(site.address + analysis('dicechess', '8/4P3/8/8/k7/8/8/4K3 w - - 0 1 P'));
  await square(page, 'e7').click();
  await square(page, 'e8').click();
  await page.getByText('What does it become?').waitFor();
  await page.getByRole('button', { name: 'Knight' }).click();
  await page.waitForURL(/4N3/);
  assert.equal(await page.getByText('What does it become?').count(), 0);
  assert.deepEqual(problems, []);
  await context.close();
});

test('three dice are chosen one after the other', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.phone);
  await page.goto(`${site.address}/analyse?game=dicechess3&position=4k3/8/8/8/8/8/4P3/4K3%20w%20-%20-%200%201%20-`);
  for (const face of ['king', 'pawn', 'king']) await page.getByRole('button', { name: `Die ${face}` }).click();
  await page.waitForURL(/PKK/);
  await page.locator('.scored tbody tr').first().waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test('amid a turn the dice are those that are left, and the turn cannot begin again', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(site.address + analysis('dicechess3', '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 PPK'));
  await page.getByText('who has rolled 2 pawns and a king').waitFor();
  assert.equal(await page.getByRole('button', { name: 'All rolls' }).isDisabled(), false);
  await square(page, 'e2').click();
  await square(page, 'e4').click();
  await page.getByText('who has a pawn and a king left').waitFor();
  assert.equal(await page.getByRole('button', { name: 'All rolls' }).isDisabled(), true);
  assert.match(await page.getByRole('button', { name: 'All rolls' }).getAttribute('title'), /turn has begun/);
  assert.deepEqual(problems, []);
  await context.close();
});

test('whole turns are listed, shown and played with three dice', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(site.address + analysis('dicechess3', '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 PPK'));
  const turns = page.getByRole('table', { name: /each whole turn/ });
  const row = turns.locator('tbody tr').first();
  await row.waitFor();
  // Each end of the turn is there once, although its moves can be made in several orders.
  const texts = await turns.getByRole('button').allInnerTexts();
  assert.ok(texts.every((text) => text.split(' ').length === 3), texts.join(', '));
  const sorted = texts.map((text) => text.split(' ').sort().join(' '));
  assert.equal(new Set(sorted).size, sorted.length, texts.join(', '));
  await page.getByText('Every first move').click();
  await page.getByRole('table', { name: /each move/ }).locator('tbody tr').first().waitFor();
  await row.getByRole('button').click();
  await page.waitForURL(/b\+-\+-\+/);
  assert.deepEqual(problems, []);
  await context.close();
});

/** The rules of three dice showed one die's castling, and an example that one variant refused ended its whole page. */
test('the rules of every variant open, with all their pictures', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  const { games } = await ask(site, '/api/games');
  assert.ok(games.length > 4);
  for (const { name } of games) {
    const { rules } = await import(`../rules/${name.split(/[-\d]/)[0]}.js`);
    await page.goto(`${site.address}/learn?game=${name}`);
    await page.getByRole('heading', { name: 'Learn' }).waitFor();
    assert.equal(await page.locator('.rule').count(), rules(name).length, name);
    assert.equal(await page.locator('.rule .picture').count(), rules(name).filter(({ position }) => position).length, name);
    assert.equal(await page.locator('.problem').count(), 0, name);
    const castling = rules(name).find(({ title }) => title === 'Castling');
    if (!castling) continue;
    const { moves } = await ask(site, `/api/scene?${new URLSearchParams({ game: name, position: castling.position })}`);
    assert.ok(['e1g1', 'e1c1'].every((wanted) => moves.some(({ text }) => text === wanted)), name);
    assert.match(await page.locator('.rule', { hasText: 'Draws' }).innerText(), /100 turns of each side/);
  }
  assert.deepEqual(problems, []);
  await context.close();
});

/** A table mixed values of two searches, "−-7.2" among them, and called dice that were left a roll worth 0 points. */
test('a review compares what was searched alike, and says what was not looked at again', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  const first = { position: '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 PPK', side: 'white', roll: 'PPK', before: 0.5, move: 'e2e3', lost: 0.1, mark: 'blunder', luck: 0.02, luck_mark: null, after: 0.4, again: 2, unconfirmed: false };
  const second = { position: '4k3/8/8/8/8/4P3/8/4K3 w - - 0 1 PK', side: 'white', roll: 'PK', before: null, move: 'e3e4', lost: 0.03, mark: 'doubtful', luck: 0, luck_mark: null, after: 0.4, again: 0, unconfirmed: true };
  const moves = (...values) => ['e1e2', 'e2e3', 'e2e4'].map((move, n) => ({ move, value: values[n], exact: false }));
  const none = { luck: 0, lost: 0, doubtful: 0, errors: 0, blunders: 0 };
  await page.route('**/api/review', (route) => route.fulfill({ json: {
    analyser: 'champion', depth: [1, 1], result: '0-1', initial: 0.5, final: 0.4, residual: 0.01, assumed: [],
    moves: [{ ...first, moves: moves(0.5, 0.4, 0.572) }, { ...second, moves: moves(0.43, 0.4, 0.4).map((of, n) => (n ? { ...of, move: ['', 'e3e4', 'e1d1'][n] } : of)) }],
    players: [
      { side: 'white', player: 'Anna', totals: { ...none, luck: 0.02, lost: 0.13, doubtful: 1, blunders: 1 }, error_rate: 0.065, grade: 'beginner' },
      { side: 'black', player: '', totals: none, error_rate: null, grade: null },
    ],
  } }));
  await page.goto(`${site.address}/review?game=dicechess3`);
  await page.getByLabel('The game as text').fill('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 - @PPK e2e3 e3e4 e1e2');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.locator('.scored tbody tr').nth(2).waitFor();
  assert.match(await page.locator('.players').innerText(), /White \(Anna\) –\s+Black: Black has won/);
  const rows = await page.locator('.scored tbody tr').allInnerTexts();
  assert.match(rows[1], /−10\.0/);
  assert.match(rows[2], /57\.2.*first look/s);
  assert.ok(!rows.join().includes('−-') && !rows[2].includes('7.2\t+'), rows.join());
  for (const [name, counts] of [['Doubtful moves', /1\s+0/], ['Errors', /0\s+0/], ['Blunders', /1\s+0/], ['Lost by moves', /13\.0\s+0\.0/]]) {
    assert.match(await page.locator('.standings tr', { hasText: name }).innerText(), counts);
  }
  await page.getByText('luck +2.0, moves −13.0, the analyser’s residual +1.0, 40.0').waitFor();
  await page.getByText('no time to look again at 1 marked move').waitFor();
  await page.getByText('by a search of 1 turn', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.locator('.status', { hasText: 'goes on with' }).waitFor();
  const words = await page.locator('.results').innerText();
  assert.ok(!words.includes('The roll is worth') && words.includes('was not looked at again'), words);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(problems, []);
  await context.close();
});
