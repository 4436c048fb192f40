// That a page takes no more memory after many games and reloads than after a few.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { analysis, browser, engine, open, site, together } from './browser.js';

const skip = existsSync(`${engine}/wurfel.js`) ? false : 'cargo xtask wasm has not been run';
/** How many games and reloads there are, and after how many memory is measured first; `LONG=1` for more. */
const [GAMES, RELOADS, FIRST] = process.env.LONG ? [200, 50, 20] : [30, 12, 4];
/** A position that is searched as soon as the engine is there. */
const FEW = '2a2/5/1B2b/5/2A2 r 1 1';
const MIB = 2 ** 20;
/** By how many bytes a heap may differ from what it was: what the browser itself keeps or has not yet collected. */
const SLACK = MIB;

if (!skip) together('--wasm', engine);

/** The bytes that live objects of the page take. */
async function heap(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

/** The bytes of the engine's memory and of the heap of its worker. */
const engineMemory = (worker) =>
  worker.evaluate(async () => {
    const { default: start } = await import('/wasm/wurfel.js');
    return (await start()).memory.buffer.byteLength;
  });

/** Plays games between two agents to their ends, as the page does it, but without its pauses. */
const play = (page, files, count) =>
  page.evaluate(async ([files, count]) => {
    const { ask } = await import(`${files}/device.js`);
    const player = { kind: 'agent', spec: 'expecti:depth=1' };
    let turns = 0;
    for (let number = 0; number < count; number += 1) {
      const id = `game-${number}`;
      let told = await ask('open', id, { game: 'einstein', players: [player, player] });
      told = await ask('act', id, told.record, told.view.version, { do: 'begin', salt: 'pepper' });
      for (; told.pace !== undefined; turns += 1) told = await ask('think', id, told.record);
      if (told.view.end === null) throw new Error('a game has no end');
    }
    return turns;
  }, [files, count]);

test('after many games the engine and the page take what they took after a few', { skip }, async (run) => {
  const { context, page, problems } = await open(browser, { serviceWorkers: 'block' });
  await page.goto(`${site.address}/learn`);
  const files = await page.evaluate(() => new URL('.', document.querySelector('script[type=module]').src).pathname.replace(/\/$/, ''));
  await play(page, files, FIRST);
  const [worker] = page.workers();
  const before = { page: await heap(page), engine: await engineMemory(worker) };
  const turns = await play(page, files, GAMES - FIRST);
  const after = { page: await heap(page), engine: await engineMemory(worker) };
  run.diagnostic(`${turns} turns; after ${FIRST} and ${GAMES} games: page ${before.page} and ${after.page} bytes, engine ${before.engine} and ${after.engine}`);
  assert.ok(turns > 5 * (GAMES - FIRST), String(turns));
  assert.equal(page.workers().length, 1);
  assert.equal(after.engine, before.engine);
  assert.ok(after.page < before.page + SLACK, JSON.stringify([before, after]));
  assert.deepEqual(problems, []);
  await context.close();
});

test('after many reloads an analysis takes what it took after a few', { skip }, async (run) => {
  const { context, page, problems } = await open(browser);
  const look = async () => {
    await page.goto(site.address + analysis('einstein', FEW));
    await page.locator('.meta', { hasText: /on this device$/ }).waitFor();
  };
  const memory = async () => ({ page: await heap(page), engine: (await Promise.all(page.workers().map(engineMemory))).sort() });
  for (let number = 0; number < FIRST; number += 1) await look();
  const before = await memory();
  for (let number = FIRST; number < RELOADS; number += 1) await look();
  const after = await memory();
  run.diagnostic(`after ${FIRST} and ${RELOADS} reloads: ${JSON.stringify([before, after])}`);
  assert.equal(after.engine.length, before.engine.length);
  assert.ok(after.page < before.page + SLACK, JSON.stringify([before, after]));
  assert.ok(Math.max(...after.engine) <= Math.max(...before.engine) + 16 * MIB, JSON.stringify([before, after]));
  assert.deepEqual(problems, []);
  await context.close();
});
