// A picture of a board as it is shown, with its arrows: SVG that needs nothing of the page, and PNG made of it.

import { s } from './dom.js';
import { t } from './language.js';

/** The width of the picture, and the margin for the names of rows and columns, in a board whose squares are 100 wide. */
const [SQUARE, MARGIN] = [100, 36];
/** How many pixels of a PNG there are for each unit. */
const SCALE = 1.5;
/** What the style sheet says of a drawing. */
const PROPERTIES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin', 'opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor'];

/** A copy of a drawing that has its style in itself. @param {SVGElement} drawing */
function standalone(drawing) {
  const copy = /** @type {SVGElement} */ (drawing.cloneNode(true));
  const copies = [copy, ...copy.querySelectorAll('*')];
  [drawing, ...drawing.querySelectorAll('*')].forEach((part, n) => {
    const style = getComputedStyle(part);
    for (const name of PROPERTIES) copies[n].setAttribute(name, style.getPropertyValue(name));
    copies[n].removeAttribute('class');
  });
  return copy;
}

/** The picture of a board. @param {import('./board.js').BoardElement} board */
export function picture(board) {
  const rows = [...board.querySelectorAll('.row')].map((row) => /** @type {HTMLElement[]} */ ([...row.children]));
  const [wide, high] = [SQUARE * rows[0].length, SQUARE * rows.length];
  const [page, soft] = [getComputedStyle(document.body), getComputedStyle(/** @type {Element} */ (board.querySelector('.files')))];
  const name = (/** @type {Element} */ { textContent }, /** @type {number} */ x, /** @type {number} */ y) =>
    s('text', { x, y, fill: soft.color, 'font-family': 'sans-serif', 'font-size': 24, 'text-anchor': 'middle' }, textContent ?? '');
  const squares = rows.flatMap((row, y) => row.flatMap((square, x) => {
    const place = { x: SQUARE * x, y: SQUARE * y, width: SQUARE, height: SQUARE };
    const tile = s('rect', { ...place, fill: getComputedStyle(square).backgroundColor, stroke: 'rgb(107,71,35)', 'stroke-width': 2 });
    const piece = /** @type {SVGElement | null} */ (square.querySelector('.piece'));
    if (!piece) return [tile];
    const copy = standalone(piece);
    for (const [key, value] of Object.entries({ x: place.x + 3, y: place.y + 3, width: SQUARE - 6, height: SQUARE - 6 })) copy.setAttribute(key, String(value));
    return [tile, copy];
  }));
  const overlay = standalone(/** @type {SVGElement} */ (board.querySelector('.overlay')));
  for (const [key, value] of Object.entries({ x: 0, y: 0, width: wide, height: high })) overlay.setAttribute(key, String(value));
  return s('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: `${-MARGIN} -8 ${wide + MARGIN + 8} ${high + MARGIN + 8}`, width: wide + MARGIN + 8, height: high + MARGIN + 8 },
    s('rect', { x: -MARGIN, y: -8, width: wide + MARGIN + 8, height: high + MARGIN + 8, fill: page.backgroundColor }),
    ...squares, overlay,
    ...[...board.querySelectorAll('.files span')].map((file, n) => name(file, SQUARE * (n + 0.5), high + 28)),
    ...[...board.querySelectorAll('.ranks span')].map((rank, n) => name(rank, -18, SQUARE * (n + 0.5) + 8)));
}

/** A picture as a file of SVG. @param {SVGElement} drawn */
export const asSvg = (drawn) => new Blob([new XMLSerializer().serializeToString(drawn)], { type: 'image/svg+xml' });

/** A picture as a file of PNG. @param {SVGElement} drawn @returns {Promise<Blob>} */
export async function asPng(drawn) {
  const image = new Image();
  // The page's policy lets no other address in.
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [SCALE * image.naturalWidth, SCALE * image.naturalHeight];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob((found) => (found ? done(found) : fail(new Error(t('device.picture')))), 'image/png'));
}
