// The board of the analysis is changed: pieces, castling, the side to move.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WINDOWS, analysis, browser, open, shoot, site, square, together, violations } from './browser.js';

together();

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** The fields of the position in the page's address. */
const fields = (page) => new URL(page.url()).searchParams.get('position').split(' ');

async function edit(page, game, position) {
  await page.goto(site.address + analysis(game, position));
  await page.getByRole('button', { name: 'Edit' }).click();
}

/** Moves a piece of the editor from one square to another. */
async function put(page, from, to) {
  await square(page, from).click();
  await square(page, to).click();
}

for (const [kind, options] of Object.entries(WINDOWS)) {
  describe(kind, () => {
    test('a king that is moved takes its rights with it and can be moved on', async () => {
      const { context, page, problems } = await open(browser, options);
      await edit(page, 'dicechess', START);
      await put(page, 'e1', 'e4');
      await page.waitForFunction(() => location.search.includes('4K3'));
      assert.equal(fields(page)[2], 'kq');
      await put(page, 'a8', 'a5');
      await page.waitForFunction(() => location.search.includes('r7'));
      assert.equal(fields(page)[2], 'k');
      // Back at home the king has no right until it is given one.
      await put(page, 'e4', 'e1');
      await page.waitForFunction(() => location.search.includes('RNBQKBNR'));
      assert.equal(fields(page)[2], 'k');
      await page.getByRole('button', { name: 'White castles long' }).click();
      await page.waitForFunction(() => location.search.includes('Qk'));
      assert.equal(await page.getByRole('button', { name: 'Black castles long' }).isDisabled(), true);
      assert.equal(await page.getByRole('button', { name: 'White castles long' }).getAttribute('aria-pressed'), 'true');
      assert.deepEqual(await violations(page), []);
      await shoot(page, `editor-${kind}-light`);
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('a pawn that was passed by is forgotten when the other side is to move', async () => {
      const { context, page, problems } = await open(browser, options);
      await edit(page, 'dicechess', 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1');
      await page.getByRole('button', { name: 'White to move' }).click();
      await page.waitForFunction(() => location.search.includes('+w+'));
      assert.equal(fields(page)[3], '-');
      assert.deepEqual(problems, []);
      await context.close();
    });

    test('the board is cleared and set up again, and no value of another position is shown', async () => {
      const { context, page, problems } = await open(browser, options);
      await edit(page, 'dicechess', START);
      await page.locator('.scored').waitFor();
      await page.getByRole('button', { name: 'Clear the board' }).click();
      await page.getByRole('alert').filter({ hasText: 'a king on the board' }).waitFor();
      assert.equal(await page.locator('.square .piece').count(), 0);
      assert.equal(await page.locator('.scored').count(), 0);
      assert.equal(await page.locator('.verdict').count(), 0);
      // Kings make it a position again.
      await page.locator('.palette').getByRole('radio', { name: 'white king' }).check();
      await square(page, 'a1').click();
      await page.locator('.palette').getByRole('radio', { name: 'black king' }).check();
      await square(page, 'h8').click();
      await page.waitForFunction(() => location.search.includes('7k'));
      assert.equal(fields(page)[0], '7k/8/8/8/8/8/8/K7');
      await page.locator('.scored').waitFor();
      await page.getByRole('button', { name: 'Start position' }).click();
      await page.waitForFunction(() => location.search.includes('RNBQKBNR'));
      assert.equal(await page.locator('.square .piece').count(), 32);
      // The browser notes what the server has refused.
      assert.deepEqual(problems.filter((text) => !text.includes('400')), []);
      await context.close();
    });
  });
}
