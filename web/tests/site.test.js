// Plays, analyses and learns in a real browser, in a small window and in a large one.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { WINDOWS, launch, open, serve, violations } from './browser.js';

/** Where pictures of every page go, if anywhere. */
const SHOTS = process.env.SHOTS;

let browser;
let site;
before(async () => {
  [browser, site] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser?.close();
  site?.close();
});

/** Plays the first move that is shown until the game is over. */
async function playOn(page) {
  const over = page.locator('.banner.shown');
  const men = page.locator('.square.movable');
  for (let turn = 0; turn < 60; turn += 1) {
    await over.or(men.first()).first().waitFor();
    if (await over.isVisible()) return;
    const before = await page.locator('.step').count();
    await men.first().click();
    await page.locator('.square.target').last().click();
    await page.waitForFunction(
      (count) => document.querySelectorAll('.step').length > count,
      before,
    );
  }
  assert.fail('the game does not end');
}

async function shoot(page, name) {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

for (const [kind, options] of Object.entries(WINDOWS)) {
  describe(kind, () => {
    for (const colorScheme of ['light', 'dark']) {
      test(`every page is accessible and stands still, ${colorScheme}`, async () => {
        const { context, page, problems } = await open(browser, { ...options, colorScheme });
        const pages = {
          play: '/',
          analyse: '/analyse?game=einstein&position=ABC2/DE3/F3f/3ed/2cba%20r%204%201',
          throws: '/analyse?game=einstein&position=1B3/A1C2/1D1cf/2b2/3ed%20r%20-%209',
          review: '/review',
          learn: '/learn',
          puzzle: '/learn/puzzle/3',
          watch: '/watch',
          dice: '/dice',
        };
        for (const [name, path] of Object.entries(pages)) {
          await page.goto(site.address + path);
          await page.locator('h1').first().waitFor();
          if (path.startsWith('/analyse')) await page.locator('.judged').waitFor();
          assert.deepEqual(await violations(page), [], name);
          assert.ok((await page.evaluate(() => window.shifted)) < 0.02, `${name} shifts`);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
          assert.equal(wide, false, `${name} is wider than the window`);
          await shoot(page, `${name}-${kind}-${colorScheme}`);
        }
        assert.deepEqual(problems, []);
        await context.close();
      });
    }

    test('a whole game is played, and its dice are checked', async () => {
      const { context, page, problems } = await open(browser, options);
      await page.goto(site.address);
      await page.locator('input[type=range]').fill('1').catch(() => {});
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.waitForURL(/\/room\//);
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

    test('a game that is uploaded is reviewed', async () => {
      const { context, page, problems } = await open(browser, options);
      await page.goto(`${site.address}/review`);
      await page.getByLabel('The game as text').fill('5/1a3/5/3A1/5 r - 1 @1 d2d1 @1 b4a5 0-1');
      await page.getByRole('button', { name: 'Review' }).click();
      await page.locator('.status', { hasText: 'd2d1' }).waitFor();
      await page.getByRole('group', { name: 'The worst moves' }).getByRole('button').first().click();
      assert.match(await page.locator('.judged .best').innerText(), /d2e1/);
      assert.deepEqual(await violations(page), []);
      await shoot(page, `reviewed-${kind}-light`);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('Dice Chess is played', async () => {
      const { context, page, problems } = await open(browser, options);
      await page.goto(`${site.address}/?game=dicechess`);
      await page.getByRole('radio', { name: 'Two people' }).check();
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      for (let move = 1; move <= 6; move += 1) {
        await page.locator('.square.movable').first().click();
        await page.locator('.square.target').first().click();
        await page.locator('.step').nth(move - 1).waitFor();
      }
      assert.deepEqual(await violations(page), []);
      await shoot(page, `chess-${kind}-light`);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('a position is analysed, changed and shared', async () => {
      const { context, page, problems } = await open(browser, options);
      await page.goto(`${site.address}/analyse?game=einstein&position=5/5/2A2/3b1/4c%20r%201%201`);
      await page.locator('.judged tbody tr').nth(2).waitFor();
      await page.getByRole('button', { name: 'All throws' }).click();
      await page.locator('.judged .face').first().waitFor();
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

test('a set-up is arranged by dragging and by keyboard, and a game is played by keyboard alone', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(site.address);
  await page.getByRole('radio', { name: 'Two people' }).check();
  const label = (name) => page.getByRole('gridcell', { name: new RegExp(`^${name},`) });
  const words = async (name) => (await label(name).getAttribute('aria-label')).split(',')[1].trim();
  const [corner, next] = [await words('a5'), await words('b5')];
  const [from, to] = [await label('a5').boundingBox(), await label('b5').boundingBox()];
  await page.mouse.move(from.x + 30, from.y + 30);
  await page.mouse.down();
  await page.mouse.move(to.x + 30, to.y + 30, { steps: 8 });
  await page.mouse.up();
  assert.deepEqual([await words('a5'), await words('b5')], [next, corner]);
  await label('a5').focus();
  // The board is turned, as red is played from below.
  for (const key of ['Enter', 'ArrowLeft', 'Enter']) await page.keyboard.press(key);
  assert.deepEqual([await words('a5'), await words('b5')], [corner, next]);

  await page.getByRole('button', { name: 'Play', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/room\//);
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
  await page.goto(site.address);
  await page.getByRole('radio', { name: 'Two people' }).check();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.locator('.square.movable').first().click();
  await page.locator('.square.target').first().click();
  await page.locator('.step').first().waitFor();
  await page.reload();
  await page.locator('.step').first().waitFor();
  await page.locator('.square.movable').first().waitFor();
  await page.goto(site.address);
  await page.getByRole('heading', { name: 'Go on with' }).waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test('the first load is small', async () => {
  const { context, page } = await open(browser, WINDOWS.desktop);
  await page.goto(site.address, { waitUntil: 'networkidle' });
  const bytes = await page.evaluate(() =>
    ['navigation', 'resource']
      .flatMap((type) => performance.getEntriesByType(type))
      .reduce((sum, { transferSize }) => sum + transferSize, 0),
  );
  assert.ok(bytes > 10_000 && bytes < 150_000, `${bytes} bytes`);
  await context.close();
});
