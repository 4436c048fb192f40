// Every page: accessible, still, small, quick, and as it should look.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES, PERSON, WINDOWS, analysis, browser, enter, makeMove, open, shoot, site, together, violations, visit } from './browser.js';
import { header, metrics, played, round, runs } from './runs.js';

together('--runs', runs);

for (const [kind, options] of Object.entries(WINDOWS)) {
  describe(kind, () => {
    for (const colorScheme of ['light', 'dark']) {
      test(`every page is accessible and stands still, ${colorScheme}`, async () => {
        const { context, page, problems } = await open(browser, { ...options, colorScheme });
        const pages = {
          ...PAGES,
          analyse: analysis('einstein', 'ABC2/DE3/F3f/3ed/2cba r 4 1'),
          rolls: analysis('einstein', '1B3/A1C2/1D1cf/2b2/3ed r - 9'),
          playchess: '/?game=dicechess',
          learnchess: '/learn?game=dicechess3',
          training: '/watch/tiny',
          match: '/watch/match.jsonl',
          faults: '/watch/faults.jsonl',
          cup: '/watch/cup.jsonl',
          missing: '/room/0123456789abcdef',
        };
        for (const [name, path] of Object.entries(pages)) {
          await visit(page, path);
          assert.deepEqual(await violations(page), [], name);
          assert.ok((await page.evaluate(() => window.shifted)) < 0.02, `${name} shifts`);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
          assert.equal(wide, false, `${name} is wider than the window`);
          await shoot(page, `${name}-${kind}-${colorScheme}`);
        }
        // The room that is missing is noted by the browser.
        assert.deepEqual(problems.filter((text) => !text.includes('404')), []);
        await context.close();
      });
    }
  });
}

test('the first load is small', async (t) => {
  const { context, page } = await open(browser, WINDOWS.desktop);
  await page.goto(site.address, { waitUntil: 'networkidle' });
  const bytes = await page.evaluate(() =>
    ['navigation', 'resource']
      .flatMap((type) => performance.getEntriesByType(type))
      .reduce((sum, { transferSize }) => sum + transferSize, 0),
  );
  t.diagnostic(`the first load is ${bytes} bytes`);
  assert.ok(bytes > 10_000 && bytes < 80_000, `${bytes} bytes`);
  await context.close();
});

test('a network that learns is watched', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(`${site.address}/watch`);
  await page.getByRole('link', { name: 'tiny' }).click();
  await page.getByText('Round 5 of 20').waitFor();
  await page.getByRole('img', { name: /^Losses, rounds 1 to 5. At last: policy 1.00, value 0.23/ }).waitFor();
  appendFileSync(metrics, round(6));
  await page.getByText('Round 6 of 20').waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test('a tournament says of which format it is, and who failed', async () => {
  const { context, page } = await open(browser, WINDOWS.desktop);
  await page.goto(`${site.address}/watch/cup.jsonl`);
  await page.getByText('Club. Gauntlet: the tournament is in progress.').waitFor();
  assert.match(await page.locator('.standings').innerText(), /Engine/);
  await page.getByText('Faults are games that were lost').waitFor();
  await context.close();
});

test('a match of an external engine tells why it lost', async () => {
  const { context, page } = await open(browser, WINDOWS.desktop);
  await page.goto(`${site.address}/watch/faults.jsonl`);
  await page.getByText('1.2: cmd:"./engine --flag",protocol=ugi, crash: it ended with exit code 7').waitFor();
  await context.close();
});

test('a match is watched game by game', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.phone);
  await page.goto(`${site.address}/watch/match.jsonl`);
  await page.getByRole('button', { name: /1.1/ }).click();
  await page.getByRole('button', { name: 'End' }).click();
  await page.getByText('Move 2 of 2').waitFor();
  for (const [key, words] of [['Home', 'Move 0 of 2'], ['ArrowRight', 'Move 1 of 2'], ['End', 'Move 2 of 2'], ['ArrowLeft', 'Move 1 of 2']]) {
    await page.keyboard.press(key);
    await page.getByText(words).waitFor();
  }
  assert.deepEqual(await violations(page), []);
  // The game stays while the match goes on, and so does the focus.
  await page.getByRole('button', { name: 'Next', exact: true }).focus();
  appendFileSync(join(runs, 'match.jsonl'), `${JSON.stringify({ ...played(0, 0), pair: 1 })}\n`);
  await page.getByText('3 of 4 games').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Move 2 of 2').waitFor();
  // A file without a whole line is looked at again.
  const begun = join(runs, 'begun.jsonl.part');
  writeFileSync(begun, '');
  problems.length = 0;
  await page.goto(`${site.address}/watch/begun.jsonl`);
  await page.getByText('There is nothing to show yet').waitFor();
  writeFileSync(begun, `${JSON.stringify(header)}\n`);
  await page.getByText('0 of 4 games').waitFor();
  assert.deepEqual(problems.filter((text) => !text.includes('422')), []);
  problems.length = 0;
  // A turn of several moves is shown move by move.
  await page.goto(`${site.address}/watch/three.jsonl`);
  await page.getByRole('button', { name: /1.1/ }).click();
  await page.getByRole('button', { name: 'End' }).click();
  await page.getByText('Move 4 of 4').waitFor();
  await page.locator('.status', { hasText: 'e8e7' }).waitFor();
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.getByText('Move 3 of 4').waitFor();
  await page.locator('.status', { hasText: 'e1e2' }).waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test('how long a press takes is told', async (t) => {
  const { context, page } = await open(browser, WINDOWS.phone);
  await page.addInitScript(() => {
    /** The longest of the events of each press. */
    window.presses = {};
    new PerformanceObserver((list) => {
      for (const { interactionId: press, duration } of list.getEntries()) {
        if (press) window.presses[press] = Math.max(window.presses[press] ?? 0, duration);
      }
    }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  });
  await enter(page, site, { game: 'dicechess', players: [PERSON, PERSON] });
  const over = page.locator('.banner.shown');
  let moves = 0;
  for (; moves < 12 && !(await over.isVisible()); moves += 1) await makeMove(page);
  const presses = await page.evaluate(() => Object.values(window.presses).sort((a, b) => a - b));
  // Presses that take less than 16 ms are not listed; the times are those of a busy machine.
  t.diagnostic(`of ${2 * moves} presses on the board, ${presses.length} took 16 ms or more: ${presses.join(', ')} ms`);
  await context.close();
});
