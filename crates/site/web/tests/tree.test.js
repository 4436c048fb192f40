// The game tree: moves, variations, and the ways through them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GameTree } from '../tree.js';
import { PERSON, WINDOWS, agent, analysis, ask, browser, enter, entered, makeMove, open, site, square, together, violations } from './browser.js';

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

/** A game with a variation in a variation, and comments. */
const NOTED = {
  moves: '@4 a4b4 @1 e1e2',
  comments: [{ after: 0, text: 'A start' }, { after: 2, text: 'An end' }],
  variations: [{ after: 0, moves: '@4 a4b3 @2 d1c2', comments: [{ after: 1, text: 'Bolder' }], variations: [{ after: 1, moves: '@5 d2c3', comments: [], variations: [] }] }],
};

test('a record grows into a tree and comes out of it the same', () => {
  const tree = new GameTree(scene('start'));
  tree.grow(NOTED);
  assert.deepEqual(tree.record(), { start: 'start -', ...NOTED });
  assert.equal(tree.text(), 'start - @4 a4b4 @1 e1e2');
  // A move that was played is no variation when it is tried, whatever is known of it.
  tree.grow(NOTED, ['start 4', 'one 1', 'two -']);
  tree.root.scene = scene('start', '4');
  tree.go(tree.root);
  tree.add(scene('one'), 'a4b4');
  assert.deepEqual([tree.root.children.length, tree.current.position], [2, 'one 1']);
  // Where three dice are rolled, one roll has several moves.
  const three = { moves: '@PPK e2e3 e3e4 e1e2 @KKK e8e7', comments: [], variations: [{ after: 1, moves: 'e1e2 e3e4 @NNB b8c6', comments: [], variations: [] }] };
  const other = new GameTree(scene('start'));
  other.grow(three);
  assert.deepEqual(other.record(), { start: 'start -', ...three });
  assert.deepEqual(other.line().map(({ turn, side }) => [turn, side]), [[0, 1], [1, 0], [1, 0], [1, 0], [2, 1]]);
});

test('a tree follows a game: who looks back stays there, and what is taken back is gone', () => {
  const step = (position, move, roll) => ({ position, move, roll, rest: false });
  const steps = [step('start 4', 'a4b4', '4'), step('one 1', 'e1e2', '1')];
  const tree = new GameTree(scene('start', '4'));
  tree.follow(steps.slice(0, 1), scene('one', '1'));
  assert.equal(tree.current, tree.last);
  tree.go(tree.root);
  tree.follow(steps, scene('two'));
  assert.equal(tree.current, tree.root);
  tree.go(tree.last);
  tree.follow([], scene('start', '4'));
  assert.deepEqual([tree.current, tree.root.children.length], [tree.root, 0]);
});

test('what was analysed stays: back, keys, buttons and variations', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(site.address);
  await page.goto(site.address + analysis('einstein', 'ABC2/DE3/F3f/3ed/2cba r 4 1'));
  const text = page.getByLabel('Position as text');
  const at = (position) => page.waitForFunction((wanted) => document.querySelector('input.position').value === wanted, position);
  await square(page, 'a4').click();
  await square(page, 'b4').click();
  await page.locator('.moves .step', { hasText: 'a4b4' }).waitFor();
  const after = await text.inputValue();
  await page.getByRole('button', { name: 'Roll 1', exact: true }).click();
  await page.waitForURL(/b\+1\+2/);
  // Back leads through the positions, and the moves stay.
  await page.goBack();
  await at(after);
  await page.goBack();
  await at('ABC2/DE3/F3f/3ed/2cba r 4 1');
  assert.equal(await page.locator('.moves .step').count(), 1);
  await square(page, 'a4').click();
  await square(page, 'a3').click();
  await page.locator('.variation-line', { hasText: 'a4a3' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.locator('h1').click();
  await page.keyboard.press('ArrowLeft');
  await at('ABC2/DE3/F3f/3ed/2cba r 4 1');
  await page.keyboard.press('ArrowRight');
  await page.locator('.moves .chosen', { hasText: 'a4a3' }).waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await at('ABC2/DE3/F3f/3ed/2cba r 4 1');
  await page.locator('.moves .step', { hasText: 'a4b4' }).click();
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

test('a game that is pasted chooses its game; comments and variations are saved and come back', async () => {
  const { context, page, problems } = await open(browser, { ...WINDOWS.desktop, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(`${site.address}/analyse?game=einstein`);
  const text = page.getByLabel('Position as text');
  await text.fill('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 - @P e2e4 @K e8d8');
  await text.press('Enter');
  await page.waitForURL(/game=dicechess&/);
  await page.locator('.moves .step', { hasText: 'e8d8' }).waitFor();
  await page.locator('.square[aria-label^="e2, white pawn"]').waitFor();
  // The browser notes each rule set that has refused the text.
  assert.deepEqual(problems.filter((text) => !text.includes('400')), []);
  await page.locator('h1').click();
  await page.keyboard.press('ArrowRight');
  const note = page.getByLabel('Comment on this position');
  await note.fill('The <b>centre</b>');
  await note.blur();
  await page.locator('.moves .comment', { hasText: 'The <b>centre</b>' }).waitFor();
  await page.keyboard.press('Control+z');
  await page.locator('.step.chosen').waitFor({ state: 'detached' });
  await square(page, 'e2').click();
  await square(page, 'e3').click();
  await page.locator('.variation-line', { hasText: 'e2e3' }).waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const lines = readFileSync(await (await saved).path(), 'utf8');
  assert.match(lines, /"variations":\[\{"after":0,"moves":"@P e2e3"/);
  await page.getByRole('button', { name: 'Delete from here' }).click();
  await page.locator('.variation-line').waitFor({ state: 'detached' });
  // The file is one of games, and pasted it is the same tree.
  assert.equal((await ask(site, '/api/review/games', { text: lines })).games[0].plies, 2);
  await page.goto(`${site.address}/analyse?game=einstein`);
  await text.waitFor();
  await page.evaluate((lines) => navigator.clipboard.writeText(lines), lines);
  await text.focus();
  await page.keyboard.press('Control+v');
  await page.locator('.variation-line', { hasText: 'e2e3' }).waitFor();
  await page.locator('.moves .comment', { hasText: 'The <b>centre</b>' }).waitFor();
  assert.deepEqual(await violations(page), []);
  // A review shows both, too.
  await page.goto(`${site.address}/review`);
  await page.getByLabel('The game as text').fill(lines);
  await page.getByRole('button', { name: 'Review' }).click();
  await page.locator('.variation-line', { hasText: 'e2e3' }).waitFor({ timeout: 60_000 });
  await page.locator('.variation-line .step').click();
  await page.getByText('A variation, which was not reviewed.').waitFor();
  await page.locator('.square[aria-label^="e3, white pawn"]').waitFor();
  await context.close();
});

test('the board is a picture', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(site.address + analysis('einstein', 'ABC2/DE3/F3f/3ed/2cba r 4 1'));
  await page.locator('.scored').waitFor();
  for (const [name, begins] of [['SVG', '<svg '], ['PNG', '\x89PNG']]) {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name, exact: true }).click();
    const file = readFileSync(await (await saved).path(), 'latin1');
    assert.ok(file.startsWith(begins) && file.length > 4000, file.slice(0, 80));
    if (name === 'SVG') assert.equal(file.match(/class=|var\(/g), null);
  }
  assert.deepEqual(problems, []);
  await context.close();
});

test('a move is given ahead: it is played if the roll allows it, and can be cancelled', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await enter(page, site, { game: 'einstein', players: [PERSON, agent('greedy')], position: 'ABC2/DE3/F3f/3ed/2cba r - 1', typed_dice: true });
  const roll = (face) => page.getByRole('button', { name: `Roll ${face}`, exact: true }).click();
  const move = async (from, to) => {
    await square(page, from).click();
    await square(page, to).click();
  };
  await roll(4);
  await move('a4', 'b4');
  await page.getByText('What has blue rolled?').waitFor();
  // Nothing can be given ahead before it is turned on.
  assert.equal(await page.locator('.square.live').count(), 0);
  await page.getByRole('button', { name: 'Move ahead' }).click();
  await move('b4', 'c4');
  await page.getByRole('button', { name: 'Cancel the move ahead' }).click();
  assert.equal(await page.locator('.overlay .arrow').count(), 0);
  await move('b4', 'c4');
  assert.equal(await page.locator('.overlay .arrow').count(), 1);
  assert.deepEqual(await violations(page), []);
  await roll(1);
  await page.getByText('What has red rolled?').waitFor();
  await roll(4);
  await page.locator('.step', { hasText: 'b4c4' }).waitFor();
  await move('c4', 'd4');
  await roll(6);
  await page.getByText('What has red rolled?').waitFor();
  await roll(1);
  await page.getByText('The roll does not allow the move that was given ahead.').waitFor();
  await page.locator('.square.movable').first().waitFor();
  assert.deepEqual(problems, []);
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
  await page.locator('.status', { hasText: 'Turn 1' }).waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator('.status', { hasText: 'The start' }).waitFor();
  await page.locator('wf-board.earlier').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.locator('.square.movable').first().waitFor();
  // A tap anywhere on an earlier position leads back, too.
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator('wf-board.earlier .square').first().tap();
  await page.locator('.square.movable').first().waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});
