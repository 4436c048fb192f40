// Keeps the page, the engine and its files on this device, so that everything but other people works without a network
// and a reload asks for nothing. Whoever gives this file out puts the version and the list of files in.
//
// All files of a version come from one cache, so a page never mixes two versions. A new version is loaded beside the
// old one, and takes over at the next visit at which no other page of the site is open.

const VERSION = '';
/** @type {string[]} Paths below the folder of this file. */
const FILES = [];

const worker = /** @type {any} */ (self);
const scope = new URL(worker.registration.scope);
/** Other sites on this host have caches of their own. */
const OURS = `wurfel ${scope.pathname} `;
const CACHE = OURS + VERSION;
const listed = new Set(FILES);

worker.addEventListener('install', (/** @type {any} */ event) => {
  const all = FILES.map((path) => new Request(new URL(path, scope), { cache: 'no-cache' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(all)));
});

worker.addEventListener('activate', (/** @type {any} */ event) => {
  const old = async () => (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  event.waitUntil(old().then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => worker.clients.claim()));
});

worker.addEventListener('message', (/** @type {any} */ { data }) => {
  if (data === 'take over') worker.skipWaiting();
});

/** The page, in the newest version if no other page shows an older one. @param {Request} request */
async function page(request) {
  const { waiting } = worker.registration;
  const open = await worker.clients.matchAll({ type: 'window' });
  if (waiting && open.length < 2) {
    waiting.postMessage('take over');
    return new Response('', { headers: { refresh: '0' } });
  }
  return (await caches.match('./', { cacheName: CACHE })) ?? fetch(request);
}

/** A file beside the page, which is kept once it was read. @param {Request} request */
async function beside(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request);
    if (kept) return kept;
    throw error;
  }
}

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== scope.origin || !pathname.startsWith(scope.pathname)) return;
  const path = pathname.slice(scope.pathname.length);
  if (path.startsWith('api/')) return;
  if (path.startsWith('docs/') || path.startsWith('papers/')) event.respondWith(beside(request));
  else if (listed.has(path)) event.respondWith(caches.match(new URL(path, scope), { cacheName: CACHE }).then((kept) => kept ?? fetch(request)));
  else if (request.mode === 'navigate') event.respondWith(page(request));
});
