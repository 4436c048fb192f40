// Draws the icons of the manifest from `icon.svg`, for systems that take no vectors: npm run icons

import { readFileSync, writeFileSync } from 'node:fs';
import { launch } from './browser.js';

/** Each file, its size, and the part of it that the icon takes: a mask may cut off all but a circle of four fifths. */
const ICONS = [['icon-192.png', 192, 1], ['icon-512.png', 512, 1], ['icon-maskable.png', 512, 0.66]];

const folder = new URL('../', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('manifest.webmanifest', folder), 'utf8'));
const svg = readFileSync(new URL('icon.svg', folder), 'utf8');
const browser = await launch();
const page = await browser.newPage();
for (const [name, size, part] of ICONS) {
  const background = part < 1 ? manifest.background_color : 'transparent';
  const style = `body { margin: 0; display: grid; place-items: center; height: 100vh; background: ${background} } svg { width: ${100 * part}vw }`;
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>${style}</style>${svg}`);
  writeFileSync(new URL(name, folder), await page.screenshot({ omitBackground: true }));
}
await browser.close();
