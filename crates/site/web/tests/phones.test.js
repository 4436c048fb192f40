// Every page in every size of window, upright and on its side, light and dark: nothing is cut off, and what one needs
// first is seen without scrolling.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGES, PERSON, WINDOWS, agent, ask, browser, enter, hidden, open, shoot, site, square, together, violations, visit } from './browser.js';

together();

const SIZES = [[320, 568], [360, 640], [375, 667], [390, 664], [568, 320], [640, 360], [844, 390], [768, 1024], [1024, 768], [1280, 720], [1366, 768]];
const PHONE = { ...WINDOWS.phone, viewport: { width: 320, height: 568 }, deviceScaleFactor: 1 };

/** Whether something lies in the window, and not under the navigation at its foot. */
async function seen(page, selector) {
  const { top, bottom, foot } = await page.evaluate((wanted) => {
    const { top, bottom } = document.querySelector(wanted).getBoundingClientRect();
    const nav = document.querySelector('nav');
    return { top, bottom, foot: getComputedStyle(nav).position === 'fixed' ? nav.getBoundingClientRect().top : innerHeight };
  }, selector);
  assert.ok(top >= 0 && bottom <= foot + 1, `${selector} lies from ${top} to ${bottom} of ${foot} in ${JSON.stringify(page.viewportSize())}`);
}

/** Looks at a page in every size, and in both colours for axe. @param {string[]} first what is seen without scrolling */
async function look(page, name, first = []) {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => scrollTo(0, 0));
    assert.deepEqual(await hidden(page), [], `${name} at ${width} by ${height}`);
    for (const selector of first) await seen(page, selector);
    if (width === 320 || width === 1366) await shoot(page, `${name}-${width}`);
  }
  for (const [colorScheme, [width, height]] of [['light', SIZES[0]], ['dark', SIZES[0]], ['dark', SIZES.at(-1)]]) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await shoot(page, `${name}-${width}-${colorScheme}`);
    assert.deepEqual(await violations(page), [], `${name}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

test('the first page says what the game is, and its button is there without scrolling', async () => {
  const { context, page, problems } = await open(browser, PHONE);
  const { games } = await ask(site, '/api/games');
  for (const { name } of games.filter((_, n) => n < 4)) {
    await visit(page, `/?game=${name}`);
    assert.match(await page.locator('.intro .lead').innerText(), /Whoever/);
    await look(page, `play-${name}`, ['.intro .lead', '.intro .primary']);
  }
  assert.deepEqual(problems, []);
  await context.close();
});

test('pages of text fit', async () => {
  const { context, page, problems } = await open(browser, PHONE);
  for (const [name, path] of Object.entries({ ...PAGES, lesson: '/learn/first?game=dicechess3' })) {
    if (name === 'play') continue;
    await visit(page, path);
    await look(page, name);
  }
  assert.deepEqual(problems, []);
  await context.close();
});

test('in a game the board and the roll are seen without scrolling', async () => {
  const { context, page, problems } = await open(browser, PHONE);
  for (const [game, roll] of [['einstein', null], ['dicechess3', ['bishop', 'pawn', 'knight']]]) {
    await enter(page, site, { game, players: [PERSON, PERSON], typed_dice: roll !== null });
    for (const face of roll ?? []) await page.getByRole('button', { name: `Die ${face}` }).click();
    await page.locator('.square.movable').first().waitFor();
    await look(page, `room-${game}`, ['wf-board', '.roll']);
  }
  assert.deepEqual(problems, []);
  await context.close();
});

test('a puzzle of three dice fits after its answer, and the board stays', async () => {
  const { context, page, problems } = await open(browser, PHONE);
  await page.goto(`${site.address}/learn/puzzle/1?game=dicechess3`);
  const puzzle = await ask(site, '/api/puzzles/dicechess3/1');
  let { scene } = puzzle;
  const { columns, rows } = scene.board;
  for (const text of puzzle.turns[0].moves) {
    const { from, to } = scene.moves.find((move) => move.text === text);
    for (const place of [from, to]) await square(page, columns[place % columns.length] + rows[Math.floor(place / columns.length)]).click();
    scene = await ask(site, `/api/scene?${new URLSearchParams({ game: 'dicechess3', position: scene.position, move: text })}`);
    if (scene.roll) await page.getByText(`${text}. Left`, { exact: false }).first().waitFor({ state: 'attached' });
  }
  await page.locator('.verdict.right').waitFor();
  assert.equal(await page.evaluate(() => scrollY), 0);
  await look(page, 'puzzle-solved');
  assert.deepEqual(problems, []);
  await context.close();
});

test('a review and its list of games fit', async () => {
  const { context, page, problems } = await open(browser, PHONE);
  const game = '5/1a3/5/3A1/5 r - 1 @1 d2d1 @1 b4a5 0-1';
  await page.goto(`${site.address}/review`);
  await page.getByLabel('The game as text').fill(`${game}\n\n`.repeat(8));
  await page.getByRole('button', { name: 'Review' }).click();
  await page.locator('.games button').nth(1).click();
  await page.locator('.standings').getByText('Grade').waitFor({ timeout: 150_000 });
  await look(page, 'reviewed');
  assert.deepEqual(problems, []);
  await context.close();
});

test('an analysed game with comments and an earlier position of a game fit', async () => {
  const { context, page, problems } = await open(browser, PHONE);
  await page.goto(`${site.address}/analyse?game=dicechess3`);
  const text = page.getByLabel('Position as text');
  const passes = '@RRQ 0000 @RRQ 0000 '.repeat(8);
  await text.fill(`rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - ${passes}@PNB e2e4 f1c4 g1f3`);
  await text.press('Enter');
  await page.locator('.step', { hasText: 'g1f3' }).click();
  const note = page.getByLabel('Comment on this position');
  await note.fill('A long comment on a position, as teachers write them, https://example.org/a/very/long/address/that/does/not/break');
  await note.blur();
  await page.locator('.comment').waitFor();
  await look(page, 'analysed-game');
  await enter(page, site, { game: 'dicechess3', players: [PERSON, PERSON], typed_dice: true });
  for (const face of ['bishop', 'pawn', 'knight']) await page.getByRole('button', { name: `Die ${face}` }).click();
  await square(page, 'e2').click();
  await square(page, 'e4').click();
  await page.locator('.step').waitFor();
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.locator('.earlier').waitFor();
  await look(page, 'room-earlier', ['wf-board', '.roll']);
  assert.deepEqual(problems, []);
  await context.close();
});

test('a double tap does not end a game', async () => {
  const { context, page, problems } = await open(browser, PHONE);
  const { id } = await enter(page, site, { game: 'einstein', players: [PERSON, agent('random')] });
  await page.locator('.square.movable').first().waitFor();
  const button = page.getByRole('button', { name: 'Resign' });
  await button.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await button.boundingBox();
  await page.touchscreen.tap(x + width / 2, y + height / 2);
  // Wherever the answer has appeared: it takes no tap yet.
  assert.ok(await page.getByRole('button', { name: 'Yes, resign' }).isDisabled());
  await page.touchscreen.tap(x + width / 2, y + height / 2);
  assert.equal((await ask(site, `/api/rooms/${id}`)).end, null);
  assert.deepEqual(problems, []);
  await context.close();
});
