// Files that the page makes.

import { h } from './dom.js';

/** Saves a file. @param {string} name @param {Blob} content */
export function download(name, content) {
  const href = URL.createObjectURL(content);
  const link = h('a', { download: name });
  link.href = href;
  link.click();
  setTimeout(() => URL.revokeObjectURL(href));
}
