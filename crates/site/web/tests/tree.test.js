// The game tree: moves, variations, and the ways through them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GameTree } from '../tree.js';
import { PERSON, WINDOWS, analysis, ask, browser, enter, entered, makeMove, open, site, square, together, violations } from './browser.js';

together();

const scene = (position, roll = null) => ({ position: `${position} ${roll ?? '-'}`, at_rest: `${position} -`, roll, side: 0 });

test('a tree has lines and variations, and finds what was there', () => {
  const tree = new GameTree(scene('start'));
  tree.add(scene('start', '4'), null);
  tree.add(scene('one'), 'a1a2');
  assert.deepEqual([tree.current.turn, tree.current.roll], [1, '4']);
  const first = tree.current;
  tree.go(tree.root.children[0]);
  tree.add(scene('two'), 'a1b2');
  assert.equal(tree.root.children[0].children.length, 2);
  // The same move again is no new variation, and leads back to what followed it.
  tree.go(tree.root.children[0]);
  tree.add(scene('one'), 'a1a2');
  assert.equal(tree.current, first);
  assert.deepEqual(tree.line().map(({ scene: { position } }) => position), ['start -', 'start 4', 'one -']);
  // Another roll stands beside the first; none at all is the position before it.
  tree.go(tree.root.children[0]);
  tree.add(scene('start', '5'), null);
  assert.equal(tree.root.children.length, 2);
  tree.add(scene('start'), null);
  assert.equal(tree.current, tree.root);
  assert.equal(tree.find('two -')?.move, 'a1b2');
});

test('what was analysed stays: back, keys, buttons and variations', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(site.address);
  await page.goto(site.address + analysis('einstein', 'ABC2/DE3/F3f/3ed/2cba r 4 1'));
  const text = page.getByLabel('Position as text');
  const at = (position) => page.waitForFunction((wanted) => document.querySelector('input.position').value === wanted, position);
  await square(page, 'a4').click();
  await square(page, 'b4').click();
  await page.locator('.tree .step', { hasText: 'a4b4' }).waitFor();
  const after = await text.inputValue();
  await page.getByRole('button', { name: 'Roll 1', exact: true }).click();
  await page.locator('.tree .step.chosen .die').first().waitFor();
  // Back leads through the positions, and the moves stay.
  await page.goBack();
  await at(after);
  await page.goBack();
  await at('ABC2/DE3/F3f/3ed/2cba r 4 1');
  assert.equal(await page.locator('.tree .step').count(), 1);
  await square(page, 'a4').click();
  await square(page, 'a3').click();
  await page.locator('.variation-line', { hasText: 'a4a3' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.locator('h1').click();
  await page.keyboard.press('ArrowLeft');
  await at('ABC2/DE3/F3f/3ed/2cba r 4 1');
  await page.keyboard.press('ArrowRight');
  await page.locator('.tree .chosen', { hasText: 'a4a3' }).waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await at('ABC2/DE3/F3f/3ed/2cba r 4 1');
  await page.locator('.tree .step', { hasText: 'a4b4' }).click();
  await at(after);
  const corner = () => page.locator('.square').first().getAttribute('aria-label');
  const [before] = [await page.locator('.files span').first().innerText(), await corner()];
  await page.locator('h1').click();
  await page.keyboard.press('f');
  await page.waitForFunction((letter) => document.querySelector('.files span').textContent !== letter, before);
  // A game can begin here.
  await page.getByRole('link', { name: 'Play from here' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await entered(page);
  const room = await ask(site, `/api/rooms/${page.url().split('/').at(-1)}`);
  assert.match((await ask(site, `/api/rooms/${room.id}/record`)).start, /^ABC2\/1D3|^ABC2\/DE3|^ABC2/);
  assert.deepEqual(problems, []);
  await context.close();
});

test('the right button draws arrows and squares, and the left one clears them', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(`${site.address}/?game=dicechess`);
  await square(page, 'e2').waitFor();
  const middle = async (name) => {
    const { x, y, width, height } = await square(page, name).boundingBox();
    return [x + width / 2, y + height / 2];
  };
  const drag = async (from, to) => {
    await page.mouse.move(...await middle(from));
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(...await middle(to), { steps: 3 });
    await page.mouse.up({ button: 'right' });
  };
  await drag('e2', 'e4');
  await drag('d5', 'd5');
  assert.deepEqual([await page.locator('.sketch line').count(), await page.locator('circle.sketch').count()], [1, 1]);
  await drag('e2', 'e4');
  assert.equal(await page.locator('.sketch line').count(), 0);
  await square(page, 'a5').click();
  assert.equal(await page.locator('.sketch').count(), 0);
  assert.deepEqual(problems, []);
  await context.close();
});

test('a game is copied as a text that a review reads', async () => {
  const { context, page, problems } = await open(browser, { ...WINDOWS.desktop, permissions: ['clipboard-read', 'clipboard-write'] });
  for (const game of ['einstein', 'dicechess']) {
    await enter(page, site, { game, players: [PERSON, PERSON] });
    for (let move = 0; move < 3; move += 1) await makeMove(page);
    await page.getByRole('button', { name: 'Copy text' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    const found = await ask(site, '/api/review/games', { game, text });
    assert.equal(found.games[0].plies, 3, text);
  }
  assert.deepEqual(problems, []);
  await context.close();
});

test('a position that is pasted chooses its game', async () => {
  const { context, page } = await open(browser, WINDOWS.desktop);
  await page.goto(`${site.address}/analyse?game=einstein`);
  const text = page.getByLabel('Position as text');
  await text.fill('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 P');
  await text.press('Enter');
  await page.waitForURL(/game=dicechess&/);
  await page.locator('.square[aria-label^="e1, white king"]').waitFor();
  await page.locator('.scored tbody tr').first().waitFor();
  await context.close();
});

test('an earlier move of a game is looked at while it goes on', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.phone);
  await page.goto(site.address);
  await page.getByRole('radio', { name: 'Two people' }).check();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await entered(page);
  for (let move = 1; move < 3; move += 1) {
    await page.locator('.square.movable').first().click();
    await page.locator('.square.target').first().click();
    await page.waitForFunction((count) => document.querySelectorAll('.step').length === count, move);
  }
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.locator('.status', { hasText: 'Move 2' }).waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator('.status', { hasText: 'Move 1' }).waitFor();
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.locator('.square.movable').first().waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});
