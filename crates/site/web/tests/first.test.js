// The first minute: what the game is, three moves to learn it, and what is said to whoever presses, wins or loses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERSON, WINDOWS, agent, ask, browser, enter, entered, makeMove, open, site, square, together, violations } from './browser.js';

together();

const said = (page, words) => page.locator('.verdict', { hasText: words }).waitFor();

for (const [game, moves] of [
  ['einstein', [['a4', 'b4'], ['b4', 'c3'], ['d2', 'e1']]],
  ['dicechess', [['b1', 'c3'], ['b2', 'c3'], ['e1', 'e8']]],
  ['dicechess3', [['e2', 'e4', 'f1', 'c4', 'g1', 'f3'], ['b2', 'c3'], ['e1', 'e8']]],
]) {
  test(`the first lesson of ${game} has three moves and ends in a game against the gentlest level`, async () => {
    const { context, page, problems } = await open(browser, WINDOWS.phone);
    await page.goto(`${site.address}/?game=${game}`);
    await page.getByRole('link', { name: 'First lesson' }).click();
    for (const [number, squares] of moves.entries()) {
      await page.locator('.eyebrow', { hasText: `move ${number + 1} of 3` }).waitFor();
      for (const [place, name] of squares.entries()) {
        // A turn of several moves goes on from the position that the server answers.
        if (place % 2 === 0) await page.locator(`.square.movable[aria-label^="${name},"]`).waitFor();
        await square(page, name).click();
      }
      await page.locator('.verdict.right:not(:empty)').waitFor();
      if (number === 1) assert.deepEqual(await violations(page), []);
      if (number < 2) await page.getByRole('button', { name: 'Go on' }).click();
    }
    await said(page, 'You have won');
    await page.getByRole('button', { name: 'Play your first game' }).click();
    await entered(page);
    const { levels } = (await ask(site, '/api/games')).games.find(({ name }) => name === game);
    assert.deepEqual((await ask(site, `/api/rooms/${page.url().split('/').at(-1)}`)).players, [PERSON, agent(levels[0].spec)]);
    assert.deepEqual(problems, []);
    await context.close();
  });
}

test('a newcomer makes the first move with the second tap', async () => {
  const { context, page, problems } = await open(browser, { ...WINDOWS.phone, viewport: { width: 320, height: 568 } });
  await page.goto(site.address);
  await page.getByRole('radio', { name: 'Red' }).check();
  await page.getByRole('button', { name: 'Play', exact: true }).tap();
  await entered(page);
  // Each number has one cube at first, so the cube that was rolled is chosen already.
  await page.locator('.square.target').first().tap();
  await page.locator('.step', { hasText: /[a-e]\d[a-e]\d/ }).first().waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test('a piece that may not move says why', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await enter(page, site, { game: 'einstein', players: [PERSON, agent('random')], position: '5/1A1C1/5/3e1/4b r - 1', typed_dice: true });
  const told = (words) => page.getByRole('status').filter({ hasText: words }).waitFor();
  await square(page, 'b4').click();
  await told('The roll decides which piece may move.');
  await page.getByRole('button', { name: 'Roll 3' }).click();
  await page.locator('.square.movable').first().waitFor();
  await square(page, 'b4').click();
  await told('The roll is a 3, so the 3 may move.');
  await square(page, 'd2').click();
  await told('This is the blue 5. You play red.');
  assert.deepEqual(await violations(page), []);
  await square(page, 'd4').click();
  assert.equal(await page.locator('.square.target').count(), 3);
  assert.deepEqual(problems, []);
  await context.close();
});

test('whoever has won or lost is told so', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.phone);
  await enter(page, site, { game: 'einstein', players: [PERSON, agent('random')], position: '5/b4/5/3A1/5 r - 15', typed_dice: true });
  await page.getByRole('button', { name: 'Roll 1' }).click();
  await square(page, 'd2').click();
  await square(page, 'e1').click();
  await page.locator('.banner.shown', { hasText: 'You won!' }).waitFor();
  await page.locator('.banner', { hasText: 'Red has won.' }).waitFor();
  assert.equal(await page.locator('wf-dice').isVisible(), false);
  const { id, token } = await enter(page, site, { game: 'einstein', players: [PERSON, agent('random')] });
  await page.locator('.square.movable').first().waitFor();
  const { version } = await ask(site, `/api/rooms/${id}`);
  await ask(site, `/api/rooms/${id}`, { token, version, do: 'resign' });
  await page.locator('.banner.shown', { hasText: 'You lost.' }).waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test('what the game is can be read in the room', async () => {
  const { context, page } = await open(browser, WINDOWS.phone);
  await enter(page, site, { game: 'einstein', players: [PERSON, PERSON] });
  await page.getByText('How to win').click();
  await page.getByText('Whoever first reaches the opposite corner wins.').waitFor();
  await page.getByText('The tinted corners are the goals').waitFor();
  await page.getByRole('link', { name: 'All rules' }).click();
  await page.getByRole('heading', { name: 'Learn', exact: true }).waitFor();
  await context.close();
});

test('levels are called by how they feel, the gentle ones first in every game', async () => {
  const { context, page } = await open(browser, WINDOWS.desktop);
  const { games } = await ask(site, '/api/games');
  for (const { name, levels } of games.filter(({ levels }) => levels.length)) {
    await page.goto(`${site.address}/?game=${name}`);
    const level = page.locator('.level-name');
    await level.getByText('Gentle', { exact: true }).waitFor();
    assert.match(await level.innerText(), new RegExp(`${levels[2].name}, Elo ${levels[2].elo}`));
    await page.getByRole('slider').fill('1');
    assert.match(await level.innerText(), /^No plan at all/);
  }
  await context.close();
});

test('a puzzle has a hint and another try, and is seen from the side that moves', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.phone);
  let puzzle = await ask(site, '/api/puzzles/dicechess/1');
  while (puzzle.scene.side === 0) puzzle = await ask(site, `/api/puzzles/dicechess/${puzzle.number + 1}`);
  await page.goto(`${site.address}/learn/puzzle/${puzzle.number}?game=dicechess`);
  await page.locator('.square .piece').first().waitFor();
  const first = await page.locator('.square').first().getAttribute('aria-label');
  assert.match(first, /^h1/);
  await page.getByRole('button', { name: 'Hint' }).click();
  const best = puzzle.moves[0].move;
  assert.match(await page.locator('.square.last').getAttribute('aria-label'), new RegExp(`^${best.slice(0, 2)},`));
  const wrong = puzzle.moves.slice(puzzle.right).find(({ move }) => move.length === 4);
  await square(page, wrong.move.slice(0, 2)).click();
  await square(page, wrong.move.slice(2, 4)).click();
  await said(page, 'is not the best: it gives away');
  assert.equal(await page.locator('.scored').count(), 0);
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'Try again' }).click();
  await square(page, best.slice(0, 2)).click();
  await square(page, best.slice(2, 4)).click();
  if (best.length > 4) await page.locator('.offers button').first().click();
  await page.locator('.scored').waitFor();
  // What was not solved at the first try does not count.
  assert.equal(await page.evaluate(() => localStorage.getItem('solved:dicechess')), null);
  assert.deepEqual(problems, []);
  await context.close();
});

test('an invitation that nobody else can open says so', async () => {
  const { context, page } = await open(browser, WINDOWS.phone);
  await page.goto(site.address);
  await page.getByRole('radio', { name: 'Two people' }).check();
  await page.getByRole('radio', { name: 'On two devices' }).check();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByText('Only this computer can open the address.').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'Abort game' }).click();
  await page.getByRole('button', { name: 'Yes, abort it' }).click();
  await page.getByRole('link', { name: 'New game' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Rematch' }).count(), 0);
  assert.equal(await page.getByRole('link', { name: 'Check the dice' }).count(), 0);
  assert.equal(await page.locator('wf-dice').isVisible(), false);
  await context.close();
});
