// Nothing is cut off: small phones, upright and on their side, and the desktop.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PAGES, PERSON, analysis, browser, enter, hidden, open, shoot, site, together, visit } from './browser.js';

together();

const phone = (width, height) => ({ viewport: { width, height }, hasTouch: true, isMobile: true });
const SIZES = { small: phone(320, 640), usual: phone(360, 740), lying: phone(640, 320), wide: phone(844, 390), tablet: phone(768, 1024), desktop: { viewport: { width: 1280, height: 860 } } };

/** A report on three dice as it is at its widest, before or after the roll, whatever a busy server finds out. */
async function analyseThreeDice(page) {
  const turn = ['e7d8q', 'e1e2', 'e2e3'];
  const turns = [0.999, 0.9985].map((value) => ({ moves: turn, value, exact: false, depth: 3 }));
  const kinds = [...'PNBRQK'];
  const pools = kinds.flatMap((one, n) => kinds.slice(n).flatMap((two, m) => kinds.slice(n + m).map((three) => one + two + three)));
  const rolls = pools.map((roll) => ({ roll, weight: 6, value: 0.999, moves: [{ move: 'e7d8q', value: 0.999, exact: true }], turn }));
  await page.routeWebSocket(/analyse/, (socket) => socket.onMessage((message) => {
    const { tag, position } = JSON.parse(message);
    const found = position.endsWith(' -') ? { rolls } : { turns, moves: rolls[0].moves, line: turn.map((move) => `@PKK ${move}`) };
    socket.send(JSON.stringify({ tag, last: true, position, agent: 'champion', value: 0.999, ...found, nodes: 1, depth: 1, seconds: 1 }));
  }));
}

for (const [kind, options] of Object.entries(SIZES)) {
  describe(kind, () => {
    test('nothing is cut off', async () => {
      const { context, page } = await open(browser, options);
      const pages = {
        ...PAGES,
        agents: '/?mode=agents',
        analyse: analysis('dicechess', 'r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9 B'),
      };
      for (const [name, path] of Object.entries(pages)) {
        await visit(page, path);
        assert.deepEqual(await hidden(page), [], name);
        await shoot(page, `layout-${name}-${kind}`);
      }
      await page.goto(`${site.address}/review`);
      await page.getByLabel('The game as text').fill('5/1a3/5/3A1/5 r - 1 @1 d2d1 @1 b4a5 0-1');
      await page.getByRole('button', { name: 'Review' }).click();
      await page.locator('.standings').getByText('Grade').waitFor({ timeout: 150_000 });
      assert.deepEqual(await hidden(page), [], 'a review');
      await analyseThreeDice(page);
      await page.goto(site.address + analysis('dicechess3', '4k3/4P3/8/8/8/8/8/4K3 w - - 0 1 -'));
      await page.locator('.scored').waitFor();
      assert.equal(await page.locator('.scored tbody tr').count(), 56);
      assert.deepEqual(await hidden(page), [], 'three dice');
      await page.goto(site.address + analysis('dicechess3', '4k3/4P3/8/8/8/8/8/4K3 w - - 0 1 PKK'));
      await page.locator('.scored', { hasText: 'e7d8q e1e2 e2e3' }).waitFor();
      await page.getByText('Every first move').click();
      assert.deepEqual(await hidden(page), [], 'whole turns');
      await context.close();
    });

    test('a game is seen at once', async () => {
      const { context, page } = await open(browser, options);
      for (const game of ['einstein', 'dicechess3']) {
        await enter(page, site, { game, players: [PERSON, PERSON], typed_dice: true });
        await page.locator('.status').waitFor();
        assert.deepEqual(await hidden(page), [], game);
        const { y, height } = await page.locator('wf-board').boundingBox();
        assert.ok(y >= 0 && y + height <= options.viewport.height, `the board of ${game} ends at ${y + height}`);
      }
      await context.close();
    });
  });
}

test('the links to a report and to a book fit in, however wide the window is', async () => {
  const { context, page } = await open(browser, { viewport: { width: 1280, height: 800 } });
  await visit(page, '/');
  await page.evaluate(() => {
    for (const name of ['Papers', 'Docs']) document.querySelector('nav').append(Object.assign(document.createElement('a'), { href: '/', textContent: name }));
  });
  for (const [width, height] of [[320, 568], [360, 740], [400, 800], [440, 800], [480, 900], [568, 320], [600, 900], [640, 360], [645, 900], [700, 900], [740, 1000], [844, 390], [852, 900], [900, 900], [1024, 768]]) {
    await page.setViewportSize({ width, height });
    assert.deepEqual(await hidden(page), [], `${width} by ${height}`);
    // Two links side by side can be told apart.
    const overlap = await page.evaluate(() => {
      const places = [...document.querySelectorAll('nav a')].map((link) => link.getBoundingClientRect());
      return places.some(({ left }, n) => n > 0 && left < places[n - 1].right - 1);
    });
    assert.equal(overlap, false, `${width} by ${height}`);
  }
  await context.close();
});

test('pieces fill their squares', async () => {
  const { context, page } = await open(browser, SIZES.desktop);
  for (const [game, tall, wide] of [['einstein', 0.78, 0.78], ['dicechess', 0.8, 0.5]]) {
    await page.goto(`${site.address}/?game=${game}`);
    await page.locator('.square .piece').first().waitFor();
    const [width, height] = await page.evaluate(() => {
      const square = document.querySelector('.square:has(.piece)').getBoundingClientRect();
      const drawn = [...document.querySelectorAll('.square .cube, .square .chess-piece')].map((part) => part.getBoundingClientRect());
      return [Math.max(...drawn.map((box) => box.width)) / square.width, Math.max(...drawn.map((box) => box.height)) / square.height];
    });
    assert.ok(height > tall && height <= 1 && width > wide && width <= 1, `${game}: ${width} × ${height}`);
  }
  await context.close();
});

test('no value covers the head of an arrow or another value', async () => {
  const { context, page } = await open(browser, SIZES.desktop);
  const positions = [
    ['einstein', 'ABC2/DE3/F3f/3ed/2cba r 4 1'],
    ['einstein', '1B3/A1C2/1D1cf/2b2/3ed b 3 9'],
    ['dicechess', 'r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9 N'],
  ];
  for (const [game, position] of positions) {
    await page.goto(site.address + analysis(game, position));
    await page.locator('.overlay .gauge').first().waitFor();
    const covered = await page.evaluate(() => {
      const boxes = (selector) => [...document.querySelectorAll(selector)].map((part) => part.getBoundingClientRect());
      const [labels, heads] = [boxes('.overlay .gauge'), boxes('.overlay .arrow > path')];
      const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
      return [labels.filter((label) => heads.some((head) => meet(label, head))).length, labels.filter((label, n) => labels.some((other, m) => m > n && meet(label, other))).length];
    });
    assert.deepEqual(covered, [0, 0], position);
  }
  await context.close();
});
