// Addresses of the page's views. Where a server answers, they are paths; a page without one may lie in any folder of
// any host, and has them behind a `#`, so that one file is all that the host needs.

import { alone } from './device.js';

/** The address of a view as links have it. @param {string} path */
export const address = (path) => (alone && path.startsWith('/') ? `#${path}` : path);

/** The path that a link leads to. @param {HTMLAnchorElement} link */
export const target = (link) => (alone && link.hash.startsWith('#/') ? link.hash.slice(1) : link.href);

/** The address of the view that is shown. */
export const here = () => new URL(alone ? location.hash.slice(1) || '/' : location.href, location.origin);

/** A file of the page. @param {string} name */
export const file = (name) => new URL(name, import.meta.url).href;
