// Games that are brought along: what the site saves, what matches write, one of many.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERSON, WINDOWS, agent, ask, browser, enter, makeMove, open, shoot, site, together, violations } from './browser.js';

together();

const file = (name, text) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) });

/** A match of Dice Chess: a header and games that end by resigning. */
function match(games) {
  const header = { format: 'wurfel-games', version: 1, program: 'test', game: 'dicechess', agents: ['Anna', 'Bert'], pairs: games, seed: 1 };
  const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -';
  const played = (n) => ({ pair: n, game: 0, first: n % 2, start, moves: '@N b1c3 @P e7e5'.split(' ').slice(0, n % 2 ? 4 : 2).join(' '), result: n % 3 ? '1-0' : '0-1', plies: n % 2 ? 2 : 1 });
  return [header, ...Array.from({ length: games }, (_, n) => played(n))].map((line) => `${JSON.stringify(line)}\n`).join('');
}

test('what Save writes is reviewed, whatever game is looked at', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  const { id } = await enter(page, site, { game: 'dicechess', players: [PERSON, agent('random')] });
  await page.locator('.square.movable').first().waitFor();
  await makeMove(page);
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Save' }).click()]);
  const chunks = [];
  for await (const chunk of await saved.createReadStream()) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  assert.equal(JSON.parse(text).id, id);
  await page.goto(`${site.address}/review`);
  await page.getByLabel('A file with games').setInputFiles(file('saved.json', text));
  await page.getByRole('button', { name: 'Review' }).click();
  await page.locator('.graph svg').waitFor();
  assert.match(await page.locator('.standings').innerText(), /White/);
  assert.deepEqual(problems, []);
  await context.close();
});

test('of many games one is chosen, and the game is the one that the file names', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.phone);
  const text = match(300);
  assert.ok(text.length > 19_000);
  await page.goto(`${site.address}/review`);
  await page.getByLabel('A file with games').setInputFiles(file('match.jsonl', text));
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('heading', { name: '300 games of Dice Chess' }).waitFor();
  assert.equal(await page.locator('.games li').count(), 200);
  await page.getByRole('button', { name: 'Show more' }).click();
  assert.equal(await page.locator('.games li').count(), 300);
  assert.match(await page.locator('.games li').nth(1).innerText(), /2\.\s*Bert – Anna\s*1-0, 2 turns/);
  assert.deepEqual(await violations(page), []);
  await page.locator('.games button').nth(1).click();
  await page.locator('.status', { hasText: 'e7e5' }).or(page.locator('.status', { hasText: 'b1c3' })).first().waitFor();
  await page.locator('.graph svg').waitFor();
  await shoot(page, 'archive-phone-light');
  assert.deepEqual(problems, []);
  await context.close();
});

test('what contradicts the choice, or has no games, is said in a line', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(`${site.address}/review?game=einstein`);
  const text = page.getByLabel('The game as text');
  for (const [content, message] of [
    [match(1), 'holds games of dicechess, but games of einstein were asked for'],
    ['{"agents":["random","greedy"],"first":{}}\n', 'a tournament’s file holds results'.replace('’', "'")],
    ['nonsense', "position 'nonsense'"],
  ]) {
    await text.fill(content);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('alert').filter({ hasText: message }).waitFor();
  }
  await page.getByLabel('A file with games').setInputFiles(file('long.txt', 'x'.repeat(5 * 1024 * 1024 + 1)));
  await page.getByRole('alert').filter({ hasText: 'at most 5,242,880' }).waitFor();
  assert.deepEqual(problems.filter((line) => !line.includes('400')), []);
  await context.close();
});

test('a file of almost 5 MB is read, one of more is not', async () => {
  const text = match(2);
  const [header, game] = text.split('\n');
  const long = `${header}\n${`${game}\n`.repeat(Math.floor((5 * 1024 * 1024 - header.length - 2) / (game.length + 1)))}`;
  const found = await ask(site, '/api/review/games', { text: long });
  assert.equal(found.game, 'dicechess');
  assert.ok(found.more ? found.games.length >= 20_000 : found.games.length > 10_000, `${found.games.length} games`);
  await assert.rejects(ask(site, '/api/review/games', { text: long + ' '.repeat(game.length + 1) }), /at most/);
});
