// The languages of the page: every text is there in all of them, with the same places, and is used.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { suiting } from '../language.js';
import { ask, browser, entered, hidden, open, shoot, site, together, violations } from './browser.js';

const TAGS = { en: 'en-GB', de: 'de-DE', 'zh-Hans': 'zh-CN', 'zh-Hant': 'zh-TW' };
const web = new URL('..', import.meta.url);
const files = Object.fromEntries(await Promise.all(Object.keys(TAGS).map(async (tag) => [tag, await import(`../languages/${tag.toLowerCase()}.js`)])));
const forms = (text) => (typeof text === 'string' ? [text] : Object.values(text));
const places = (text) => [...new Set(forms(text).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();

for (const [tag, { texts }] of Object.entries(files)) {
  test(`every text is there in ${tag}, with the places of the English one and the forms of the language`, () => {
    assert.deepEqual(Object.keys(texts).sort(), Object.keys(files.en.texts).sort());
    for (const [key, text] of Object.entries(texts)) {
      assert.deepEqual(places(text), places(files.en.texts[key]), key);
      assert.ok(forms(text).every((form) => form.trim() !== ''), key);
      if (typeof text !== 'string') assert.deepEqual(Object.keys(text).sort(), [...new Intl.PluralRules(tag).resolvedOptions().pluralCategories].sort(), key);
    }
  });
}

test('every text is used', () => {
  const sources = readdirSync(web, { recursive: true }).filter((name) => name.endsWith('.js') && !/^(node_modules|tests|languages)/.test(name));
  const source = sources.map((name) => readFileSync(new URL(name, web), 'utf8')).join('\n');
  const begun = [...source.matchAll(/`([a-z]+\.)\$\{/g)].map(([, prefix]) => prefix);
  const isUsed = (key) => source.includes(`'${key}'`) || begun.some((prefix) => key.startsWith(prefix));
  assert.deepEqual(Object.keys(files.en.texts).filter((key) => !isUsed(key)), []);
});

test('a visitor gets the first language that the page has', () => {
  const found = [['de-AT', 'en'], ['zh-TW'], ['zh'], ['zh-HK'], ['zh-Hans-HK'], ['fr', 'zh-SG'], ['fr'], []].map(suiting);
  assert.deepEqual(found, ['de', 'zh-Hant', 'zh-Hans', 'zh-Hant', 'zh-Hans', 'zh-Hans', 'en', 'en']);
});

together();

/** Why games of Dice Chess are drawn, as `why_drawn` in `crates/games/src/dicechess/position.rs` says. */
const DRAWS = ['only the kings are left', 'too many turns without a capture or a pawn move', 'the maximum number of turns has been played', 'no piece can move with any roll'];

test('what the server calls in English has a name in every other language', async () => {
  const { games, agents } = await ask(site, '/api/games');
  const keys = games.flatMap(({ name, sides, levels }) => [`game.${name}`, ...sides.map((side) => `side.${side}`), ...levels.map((level) => `rank.${level.name}`)]);
  keys.push(...agents.map(({ name }) => `agent.${name}`), ...DRAWS.map((why) => `drawn.${why}`));
  for (const [tag, { names }] of Object.entries(files)) assert.deepEqual(Object.keys(names).sort(), tag === 'en' ? [] : [...new Set(keys)].sort(), tag);
});

for (const [tag, locale] of Object.entries(TAGS)) {
  test(`the first page speaks ${tag} and fits, and so does what is said of a missing page`, async () => {
    const { texts, names } = files[tag];
    const { context, page, problems } = await open(browser, { locale, viewport: { width: 320, height: 664 }, hasTouch: true, isMobile: true });
    const fits = async (path, ...checks) => {
      for (const width of [320, 390, 768, 1280]) {
        await page.setViewportSize({ width, height: width < 700 ? 664 : 800 });
        for (const check of checks) assert.deepEqual(await check(page), [], `${path} at ${width}`);
        await shoot(page, `language-${tag}-${width}${path.replace(/[^a-z]+/g, '-')}`);
      }
    };
    for (const path of ['/', '/?mode=people', '/?game=dicechess3&mode=agents']) {
      await page.goto(site.address + path);
      await page.getByRole('button', { name: texts['play.begin'], exact: true }).waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.lang), tag);
      if (path === '/') await page.getByText(texts['others.open']).waitFor();
      await fits(path, hidden, violations);
    }
    await page.getByRole('heading', { name: names['game.dicechess3'] ?? 'Dice Chess (three dice)' }).waitFor();
    assert.deepEqual(problems, []);
    await page.goto(`${site.address}/nowhere`);
    await page.getByRole('heading', { name: texts['lost.page'] }).waitFor();
    await fits('/nowhere', hidden);
    await context.close();
  });
}

test('another language is chosen at the foot of the page and stays', async () => {
  const { context, page, problems } = await open(browser, { locale: 'en-GB' });
  await page.goto(site.address);
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch');
  await page.getByRole('button', { name: 'Spielen', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('radio', { name: 'Rot' }).check();
  await page.getByRole('button', { name: 'Spielen', exact: true }).click();
  await entered(page);
  await page.goto(`${site.address}/`);
  await page.getByText('Deine angefangenen Partien').waitFor();
  await page.getByText('Neuling').or(page.getByText('Anfänger')).first().waitFor();
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('English');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});
