// What surrounds every page: its title, where the focus is, addresses that lead nowhere, and
// that what is said is true.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERSON, WINDOWS, agent, ask, browser, enter, entered, open, program, site, together } from './browser.js';

together('--engine', `theirs="${program} engine greedy",start=100s,margin=100s`, '--engine', 'mute="false",start=100s');

test('the title says what is seen, and in a game whose turn it is', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  for (const [path, title] of [['/', /EinStein.* – wurfel/], ['/analyse', /^Analyse – .*wurfel$/], ['/review', /^Review – wurfel$/], ['/learn', /^Learn – wurfel$/], ['/watch', /^Watch – wurfel$/], ['/dice', /^Fair dice – wurfel$/]]) {
    await page.goto(site.address + path);
    await page.locator('h1').first().waitFor();
    await page.waitForFunction(() => document.title !== '');
    assert.match(await page.title(), title, path);
  }
  await enter(page, site, { game: 'einstein', players: [PERSON, PERSON] });
  await page.waitForFunction(() => document.title.startsWith('Red to move – '));
  await page.locator('.square.movable').first().click();
  await page.locator('.square.target').first().click();
  await page.waitForFunction(() => document.title.startsWith('Blue to move – '));
  assert.deepEqual(problems, []);
  await context.close();
});

test('a link leads the focus to the heading of the new page, and back does, too', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(site.address);
  await page.locator('h1').waitFor();
  const focused = (text) => page.waitForFunction((wanted) => document.activeElement?.tagName === 'H1' && document.activeElement.textContent === wanted, text);
  await page.getByRole('link', { name: 'Learn' }).click();
  await focused('Learn');
  await page.getByRole('link', { name: 'Watch' }).focus();
  await page.keyboard.press('Enter');
  await focused('Watch');
  await page.goBack();
  await focused('Learn');
  assert.deepEqual(problems, []);
  await context.close();
});

test('a view that was left before it came does not take the place of the next one', async () => {
  const { context, page } = await open(browser, WINDOWS.desktop);
  await page.route('**/api/runs', () => {});
  await page.clock.install();
  await page.goto(`${site.address}/learn`);
  await page.getByRole('heading', { name: 'Learn' }).waitFor();
  await page.evaluate(() => {
    document.querySelector('nav a[href="/watch"]').click();
    document.querySelector('nav a[href="/learn"]').click();
  });
  await page.waitForFunction(() => document.activeElement?.textContent === 'Learn');
  await page.clock.runFor(2000);
  assert.deepEqual(await page.locator('h1').allInnerTexts(), ['Learn']);
  await context.close();
});

test('the skip link leads the focus to the board and changes nothing', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(`${site.address}/?game=einstein`);
  const pieces = () => page.locator('.square').evaluateAll((squares) => squares.map((square) => square.dataset.piece).join());
  await page.locator('.square .piece').first().waitFor();
  // Two pieces are exchanged first, which a page that is shown anew would forget.
  const [one, other] = await page.locator('.square:has(.side0)').all();
  const before = await pieces();
  await one.click();
  await other.click();
  const arranged = await pieces();
  assert.notEqual(arranged, before);
  await page.getByRole('link', { name: 'To the board' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.closest('wf-board'));
  assert.equal(await pieces(), arranged);
  assert.equal(new URL(page.url()).hash, '');
  assert.deepEqual(problems, []);
  await context.close();
});

test('a server that cannot be reached is named, and tried again', async () => {
  const { context, page } = await open(browser, WINDOWS.desktop);
  await page.goto(site.address);
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Learn' }).click();
  await page.getByText('The server cannot be reached.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Still out of reach' }).waitFor();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Still out of reach' }).click();
  await page.getByRole('heading', { name: 'Learn', exact: true }).waitFor();
  await context.close();
});

test('an address that leads nowhere shows a page', async () => {
  const { context, page } = await open(browser, WINDOWS.desktop);
  for (const path of ['/nowhere', '/constructor', '/learn%ff', '/pages/none.js']) {
    const response = await page.goto(site.address + path);
    assert.equal(response.status(), 404, path);
    await page.getByRole('heading', { name: 'There is no page here' }).waitFor();
    assert.match(await page.title(), /There is no page here/);
  }
  await page.getByRole('link', { name: 'Start page', exact: true }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await context.close();
});

test('“Copied” is said when it is true', async () => {
  // A secure page has a clipboard.
  const { context, page, problems } = await open(browser, { ...WINDOWS.desktop, permissions: ['clipboard-read', 'clipboard-write'] });
  const address = `${site.address}/analyse?game=einstein&position=5/5/2A2/3b1/4c%20r%201%201`;
  await page.goto(address);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
  // Over plain http there is none; then the old way, and when that fails, too, what to do.
  for (const [works, words] of [[true, 'Copied'], [false, 'Copy what is selected']]) {
    await page.addInitScript((answer) => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
      document.execCommand = () => answer;
    }, works);
    await page.goto(address);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: words }).waitFor();
    const field = page.getByLabel('Text to copy');
    assert.equal(await field.count(), works ? 0 : 1);
    if (!works) assert.equal(await page.evaluate(() => String(getSelection())), page.url());
  }
  assert.deepEqual(problems, []);
  await context.close();
});

test('two agents are those that the page names', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(`${site.address}/watch`);
  await page.getByRole('link', { name: 'Let two programs play' }).click();
  assert.equal(await page.getByRole('radio', { name: 'Computer against computer' }).isChecked(), true);
  assert.equal(await page.getByRole('slider').count(), 0);
  const games = (await ask(site, '/api/games')).games[0];
  await page.getByRole('combobox', { name: 'Red', exact: true }).selectOption('greedy');
  await page.getByRole('combobox', { name: 'Blue', exact: true }).selectOption({ label: `${games.levels[1].name}, Elo ${games.levels[1].elo}` });
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await entered(page);
  const room = await ask(site, `/api/rooms/${page.url().split('/').at(-1)}`);
  assert.deepEqual(room.players, [agent('greedy'), agent(games.levels[1].spec)]);
  assert.deepEqual(problems, []);
  await context.close();
});

test('an external engine is chosen by its name, and why it failed is said', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(`${site.address}/?mode=agents`);
  await page.getByRole('combobox', { name: 'Red', exact: true }).selectOption('theirs');
  await page.getByRole('combobox', { name: 'Blue', exact: true }).selectOption('mute');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await entered(page);
  await page.getByText('Blue’s agent failed: it ended with exit code 1. Red has won.').first().waitFor();
  const room = await ask(site, `/api/rooms/${page.url().split('/').at(-1)}`);
  assert.deepEqual(room.players, [agent('theirs'), agent('mute')]);
  assert.equal(room.steps.length, 1);
  assert.deepEqual(problems, []);
  await context.close();
});

test('another agent has no Elo of a level, and plays', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(site.address);
  await page.locator('.level-name', { hasText: 'Elo' }).waitFor();
  await page.getByText('Another opponent').click();
  await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption('champion');
  assert.match(await page.locator('.level-name').innerText(), /^champion/);
  assert.doesNotMatch(await page.locator('.level-name').innerText(), /Elo/);
  await page.getByRole('radio', { name: 'Red' }).check();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await entered(page);
  const room = await ask(site, `/api/rooms/${page.url().split('/').at(-1)}`);
  assert.deepEqual(room.players, [PERSON, agent('champion')]);
  // The level counts again when it is moved.
  await page.goto(site.address);
  await page.getByRole('slider').fill('1');
  assert.match(await page.locator('.level-name').innerText(), /Elo/);
  assert.equal(await page.getByRole('combobox', { name: 'Agent', exact: true }).inputValue(), '');
  assert.deepEqual(problems, []);
  await context.close();
});

test('a roll is told when the dice lie, and not before', async () => {
  const { context, page, problems } = await open(browser, { ...WINDOWS.desktop, reducedMotion: 'no-preference' });
  await page.addInitScript(() => {
    window.early = [];
    window.tumbled = 0;
    addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
      if (!document.querySelector('wf-dice.tumbling')) return;
      window.tumbled += 1;
      const told = [document.querySelector('.status')?.textContent, document.querySelector('wf-dice')?.getAttribute('aria-label')].join(' ');
      if (/has rolled|Rolled: \d/.test(told)) window.early.push(told);
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true }));
  });
  await enter(page, site, { game: 'einstein', players: [PERSON, agent('random')] });
  for (let move = 1; move < 3; move += 1) {
    await page.locator('.status', { hasText: 'has rolled' }).waitFor();
    await page.locator('.square.movable').first().click();
    await page.locator('.square.target').first().click();
    await page.waitForFunction((count) => document.querySelectorAll('.step').length >= count || document.querySelector('.banner.shown'), 2 * move);
  }
  await page.locator('.status', { hasText: 'has rolled' }).or(page.locator('.banner.shown')).first().waitFor();
  assert.ok((await page.evaluate(() => window.tumbled)) > 0);
  assert.deepEqual(await page.evaluate(() => window.early), []);
  assert.deepEqual(problems, []);
  await context.close();
});

test('what an agent thinks is called its opinion', async () => {
  const { context, page, problems } = await open(browser, WINDOWS.desktop);
  await page.goto(`${site.address}/analyse?game=einstein&position=ABC2/DE3/F3f/3ed/2cba%20r%204%201`);
  await page.locator('.verdict', { hasText: 'champion thinks' }).waitFor();
  await page.goto(`${site.address}/analyse?game=einstein&position=5/5/2C2/5/2cba%20r%204%201`);
  await page.locator('.badge').first().waitFor();
  assert.doesNotMatch(await page.locator('.verdict').innerText(), /thinks/);
  await enter(page, site, { game: 'einstein', players: [agent('flat:playouts=20'), PERSON] });
  await page.locator('.opinions', { hasText: 'what each agent expected of its own move' }).waitFor();
  await page.locator('.step .soft').first().waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test('what is refused for now says when to try again', async () => {
  const { context, page } = await open(browser, WINDOWS.desktop);
  await page.goto(site.address);
  const answers = [
    [429, '7', { json: { error: 'too many requests, try again in a moment' } }, 'Too many requests, try again in 7 seconds: this page does so by itself.'],
    [429, '3600', { json: { error: 'at most 300 new games a day' } }, 'At most 300 new games a day, try again in 3,600 seconds.'],
    [503, undefined, { json: { error: 'the server is busy' } }, 'The server is busy: this page does so by itself.'],
    [503, '1', { body: '<html>a proxy</html>' }, 'The server answered 503, try again in 1 second: this page does so by itself.'],
  ];
  for (const [status, wait, answer, words] of answers) {
    await page.route('**/api/rooms', (route) => route.fulfill({ status, headers: wait ? { 'retry-after': wait } : {}, ...answer }));
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByRole('alert').getByText(words, { exact: true }).waitFor();
    await page.unroute('**/api/rooms');
  }
  await entered(page);
  await context.close();
});

test('a page that the server has no time for says so and comes by itself', async () => {
  const { context, page } = await open(browser, WINDOWS.phone);
  let asked = 0;
  await page.route('**/games.json', (route) => {
    asked += 1;
    return asked === 1 ? route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { error: 'too many requests' } }) : route.fallback();
  });
  await page.goto(site.address);
  await page.getByText('many people use it from your network').waitFor();
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  assert.equal(asked, 2);
  await context.close();
});

test('the icons of the manifest show what its drawing shows', async () => {
  const { context, page, problems } = await open(browser);
  await page.goto(site.address);
  const { icons } = await (await fetch(`${site.address}/manifest.webmanifest`)).json();
  // The mean difference of two pictures on paper, from 0 to 1; the one for masks has a wide margin.
  const differences = await page.evaluate(async (icons) => {
    const picture = async ({ src, purpose }) => {
      const image = new Image();
      image.src = `/${src}`;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 });
      const drawing = canvas.getContext('2d');
      drawing.fillStyle = '#f6f3ee';
      drawing.fillRect(0, 0, 64, 64);
      const [place, size] = purpose === 'maskable' ? [-16.5, 97] : [0, 64];
      drawing.drawImage(image, place, place, size, size);
      return drawing.getImageData(0, 0, 64, 64).data;
    };
    const [drawn, ...others] = await Promise.all(icons.map(picture));
    return others.map((other) => other.reduce((sum, value, at) => sum + Math.abs(value - drawn[at]), 0) / other.length / 255);
  }, icons);
  assert.equal(differences.length, 3);
  for (const difference of differences) assert.ok(difference < 0.02, String(differences));
  assert.deepEqual(problems, []);
  await context.close();
});
