// How soon an analysis on a slow phone shows its first line, and what visitors who analyse cost the server. Prints
// what it finds: npm run measure

import { readFileSync } from 'node:fs';
import { WINDOWS, analysis, engine, launch, open, serve } from './browser.js';

const ROLLS = [1, 2, 3, 4, 5, 6];
const REST = 'ABC2/DE3/F3f/3ed/2cba r';
/** By how much the processor is slowed down. */
const SLOWER = 4;
/** How many milliseconds a visitor looks at a roll before choosing another one; at once, the searches of both contend. */
const LOOKS = [3000, 0];
/** How many visitors there are, and how many of them at the same time. */
const [VISITORS, TOGETHER] = [Number(process.env.VISITORS ?? 200), 4];

const median = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];

/** Slows a page down, with its workers. */
async function slow(browser, page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const whole = await browser.newBrowserCDPSession();
  const { targetInfos } = await whole.send('Target.getTargets', { filter: [{ type: 'worker' }] });
  let slowed = 0;
  for (const { targetId } of targetInfos) {
    const { sessionId } = await whole.send('Target.attachToTarget', { targetId, flatten: false });
    const answered = new Promise((read) => whole.on('Target.receivedMessageFromTarget', ({ message }) => read(JSON.parse(message))));
    await whole.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id: 1, method: 'Emulation.setCPUThrottlingRate', params: { rate: SLOWER } }) });
    if (!(await answered).error) slowed += 1;
  }
  return `${slowed} of ${targetInfos.length} workers`;
}

/** The milliseconds from a choice of another roll to the first line of its analysis. @param {number} look how long each is looked at */
async function firstLines(browser, site, look) {
  const { context, page } = await open(browser, WINDOWS.phone);
  await page.goto(site.address + analysis('einstein', `${REST} 4 1`));
  await page.locator('.scored').waitFor();
  const workers = await slow(browser, page);
  const times = [];
  for (const roll of [...ROLLS, ...ROLLS]) {
    await page.waitForTimeout(look);
    times.push(await page.evaluate(async (roll) => {
      const began = performance.now();
      const shown = new Promise((read) => {
        const check = () => (document.querySelector('.verdict')?.textContent.includes(`rolled a ${roll}`) && document.querySelector('.scored') ? read(performance.now()) : requestAnimationFrame(check));
        requestAnimationFrame(check);
      });
      [...document.querySelectorAll('.rolls button')].find((button) => button.ariaLabel === `Roll ${roll}`).click();
      return (await shown) - began;
    }, roll));
  }
  await context.close();
  return `first line after ${median(times).toFixed(0)} ms, at most ${Math.max(...times).toFixed(0)} (${times.length} rolls, each after ${look / 1000} s; page and ${workers} slowed down ${SLOWER} times)`;
}

/** The seconds of CPU time that the server has taken. */
function spent({ process }) {
  const fields = readFileSync(`/proc/${process}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Lets visitors look at a page, and returns what all of them cost the server and asked it for. */
async function visited(browser, site, path, until) {
  const before = spent(site);
  let requests = 0;
  for (let gone = 0; gone < VISITORS; gone += TOGETHER) {
    await Promise.all(Array.from({ length: TOGETHER }, async () => {
      const context = await browser.newContext({ serviceWorkers: 'block' });
      const page = await context.newPage();
      page.on('request', () => (requests += 1));
      page.on('websocket', () => (requests += 1));
      await page.goto(site.address + path);
      await page.locator(...until).first().waitFor({ timeout: 120_000 }).catch(async (error) => {
        throw new Error(await page.locator('main').innerText(), { cause: error });
      });
      await context.close();
    }));
  }
  return `${(spent(site) - before).toFixed(2)} s of CPU time, ${(requests / VISITORS).toFixed(1)} requests each`;
}

const browser = await launch();
const site = await serve('--wasm', engine);
try {
  for (const look of LOOKS) console.log(await firstLines(browser, site, look));
  const path = '/analyse?game=einstein';
  console.log(`${VISITORS} visitors open the page of the analysis: ${await visited(browser, site, path, ['.square'])}`);
  console.log(`${VISITORS} visitors analyse: ${await visited(browser, site, path, ['.meta', { hasText: /depth [4-9].* on this device/ }])}`);
} finally {
  await browser.close();
  site.close();
}
