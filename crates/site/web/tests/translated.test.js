// Every page in every language: nothing visible is left in English, and everything fits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERSON, agent, analysis, ask, browser, enter, hidden, makeMove, open, shoot, site, together, visit } from './browser.js';
import { runs } from './runs.js';

together('--runs', runs);

const LOCALES = { en: 'en-GB', de: 'de-DE', 'zh-Hans': 'zh-CN', 'zh-Hant': 'zh-TW' };
/** What is English: in German a word that it does not have, in Chinese three words in a row. */
const ENGLISH = { de: /\b(the|and|with|has|you|your|this|from|which)\b/i, 'zh-Hans': /[A-Za-z’]{2,}(?: [A-Za-z’]{2,}){2,}/, 'zh-Hant': /[A-Za-z’]{2,}(?: [A-Za-z’]{2,}){2,}/ };
const [NARROW, WIDE, HEIGHT] = [320, 1280, 760];

/** All texts of the page but code and the names of languages, with those that only screen readers are told. */
const told = (page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    for (const part of document.querySelectorAll('code, footer')) part.style.visibility = 'hidden';
    const attributes = ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt'];
    const described = [...document.querySelectorAll('*')].flatMap((element) => attributes.map((name) => element.getAttribute(name) ?? ''));
    return [document.title, ...document.body.innerText.split('\n'), ...described].filter((text) => text.trim());
  });

/** Begins a game of two people at one board, and plays three moves. @returns its name */
async function played(page) {
  const { id } = await enter(page, site, { game: 'einstein', players: [PERSON, PERSON] });
  await page.locator('.status').waitFor();
  for (let moves = 0; moves < 3; moves += 1) await makeMove(page);
  return id;
}

/** Every page with what is done there before it is looked at. */
const SCENES = {
  review: (page) => visit(page, '/review'),
  async reviewed(page) {
    await visit(page, '/review');
    await page.locator('textarea').fill('5/1a3/5/3A1/5 r - 1 @1 d2d1 @1 b4a5 0-1');
    await page.locator('button.primary').click();
    await page.locator('.standings').waitFor({ timeout: 150_000 });
  },
  learn: (page) => visit(page, '/learn'),
  nearest: (page) => visit(page, '/learn?game=einstein-nearest'),
  chess: (page) => visit(page, '/learn?game=dicechess-bare'),
  promotion: (page) => visit(page, '/learn?game=dicechess-promotion'),
  three: (page) => visit(page, '/learn?game=dicechess3'),
  lesson: (page) => visit(page, '/learn/first'),
  chesslesson: (page) => visit(page, '/learn/first?game=dicechess3'),
  async puzzle(page) {
    await visit(page, '/learn/puzzle/3');
    await page.locator('.square.movable').first().click();
    await page.locator('.square.target').first().click();
    await page.locator('.verdict.right, .verdict.wrong').waitFor();
  },
  watch: (page) => visit(page, '/watch'),
  training: (page) => visit(page, '/watch/tiny'),
  async match(page) {
    await visit(page, '/watch/match.jsonl');
    await page.locator('.chips button').first().click();
    await page.locator('.replay .moves .step').first().waitFor();
  },
  cup: (page) => visit(page, '/watch/cup.jsonl'),
  fair: (page) => visit(page, '/dice'),
  async analyse(page) {
    await visit(page, analysis('einstein', 'ABC2/DE3/F3f/3ed/2cba r 4 1'));
    await page.locator('.options .actions:last-of-type button').click();
    await page.locator('.palette button').first().waitFor();
  },
  async rights(page) {
    await visit(page, analysis('dicechess', 'r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9'));
    await page.locator('.options .actions:last-of-type button').click();
    await page.locator('.rights').waitFor();
  },
  async rollout(page) {
    await visit(page, analysis('einstein', 'ABC2/DE3/F3f/3ed/2cba r 4 1'));
    await page.locator('.rollout details').evaluate((details) => (details.open = true));
    await page.locator('.rollout select').first().selectOption('2');
    await page.locator('.rollout select').nth(1).selectOption('300');
    await page.locator('.rollout .actions > button').click();
    await page.locator('.rollout .copying').waitFor({ timeout: 150_000 });
  },
  async embed(page) {
    await visit(page, '/embed/?game=einstein');
    await page.locator('.scored').waitFor({ timeout: 150_000 });
  },
  async room(page) {
    await played(page);
    await page.locator('.step').first().click();
    await page.locator('wf-board.earlier').waitFor();
  },
  async over(page) {
    const id = await played(page);
    // Resigns.
    await page.locator('.panel > .actions:not(.minor) button').last().click();
    await page.locator('.panel > .actions button.primary:enabled').click();
    await page.locator('.banner.shown').waitFor();
    return id;
  },
  async apart(page) {
    const { id, token, invitation } = await ask(site, '/api/rooms', { game: 'einstein', players: [PERSON, PERSON], guest: 1 });
    await page.addInitScript(([room, own, secret]) => {
      localStorage.setItem(`room:${room}`, own);
      localStorage.setItem(`invitation:${room}`, secret);
    }, [id, token, invitation]);
    await visit(page, `/room/${id}`);
    await page.locator('.invitation').waitFor();
  },
  async dice(page) {
    const id = await SCENES.over(page);
    await visit(page, `/dice/${id}`);
    await page.locator('.verdict.right').waitFor();
  },
  async agents(page) {
    await enter(page, site, { game: 'dicechess', players: [PERSON, agent('random')] });
    await page.locator('.status').waitFor();
  },
  async missing(page) {
    await visit(page, '/room/0123456789abcdef');
  },
};

for (const [tag, locale] of Object.entries(LOCALES)) {
  test(`all pages speak ${tag} and fit`, async () => {
    for (const [name, show] of Object.entries(SCENES)) {
      const { context, page, problems } = await open(browser, { locale, viewport: { width: NARROW, height: HEIGHT }, hasTouch: true, isMobile: true });
      try {
        await show(page);
        for (const width of [NARROW, WIDE]) {
          await page.setViewportSize({ width, height: HEIGHT });
          assert.deepEqual(await hidden(page), [], `at ${width}`);
          await shoot(page, `${tag}-${width}-${name}`);
        }
        // Some texts are there only where there is room, others only where there is none.
        for (const width of ENGLISH[tag] ? [WIDE, NARROW] : []) {
          await page.setViewportSize({ width, height: HEIGHT });
          assert.deepEqual((await told(page)).filter((text) => ENGLISH[tag].test(text)), [], `at ${width}`);
        }
        assert.deepEqual(problems.filter((text) => !text.includes('404')), []);
      } catch (error) {
        error.message = `${name}: ${error.message}`;
        throw error;
      } finally {
        await context.close();
      }
    }
  });
}
