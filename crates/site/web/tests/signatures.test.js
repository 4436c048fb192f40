// That other browsers than Chromium find what the program finds, where one is installed. Each is only started with an
// address, whose page reports by itself.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { test } from 'node:test';
import { engine } from './browser.js';

const SIGNATURES = readFileSync(new URL('../../../lab/signature.txt', import.meta.url), 'utf8');
const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
const PAGE = `<!doctype html><title>Signatures</title><script type="module">
  const report = (text) => fetch('/found', { method: 'POST', body: text });
  try {
    const module = await import('/wurfel.js');
    await module.default();
    for (const file of module.files()) module.provide(file, new Uint8Array(await (await fetch('/' + file)).arrayBuffer()));
    await report(module.signatures());
  } catch (error) {
    await report(String(error));
  }
</script>`;

/** How each browser is started without a window, with a folder of its own. */
const BROWSERS = {
  Firefox: { programs: ['firefox', 'firefox-esr'], options: (folder) => ['--headless', '--no-remote', '--profile', folder] },
  WebKit: { programs: ['epiphany'], options: () => ['--private-instance'], display: true },
};

/** Whether a program is there. @param {string} program */
const is = (program) => !spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program]).status;

/** What the page says in a browser. */
async function found(program, options, display) {
  const folder = mkdtempSync(join(tmpdir(), 'wurfel-browser-'));
  let child;
  const server = createServer();
  try {
    return await new Promise((read, fail) => {
      server.on('request', async (request, response) => {
        const path = join(engine, request.url);
        if (request.method === 'POST') {
          response.end();
          read(Buffer.concat(await request.toArray()).toString());
        } else if (request.url === '/') response.setHeader('content-type', 'text/html').end(PAGE);
        else if (existsSync(path)) response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream').end(readFileSync(path));
        else response.writeHead(404).end();
      });
      server.listen(0, '127.0.0.1', () => {
        const line = [program, ...options(folder), `http://127.0.0.1:${server.address().port}/`];
        if (display) line.unshift('xvfb-run', '-a', 'dbus-run-session');
        // A browser without a sandbox also starts in a container.
        child = spawn(line[0], line.slice(1), { stdio: 'ignore', detached: true, env: { ...process.env, HOME: folder, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' } });
        child.once('error', fail);
        child.once('exit', (code) => fail(new Error(`${program} ended with ${code}`)));
      });
    });
  } finally {
    child?.removeAllListeners('exit');
    // With the processes that it has started.
    if (child?.pid) process.kill(-child.pid, 'SIGKILL');
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

for (const [name, { programs, options, display }] of Object.entries(BROWSERS)) {
  const program = programs.find(is);
  const skip = !program ? `${name} is not installed` : display && !is('xvfb-run') ? 'xvfb-run is not installed' : !existsSync(`${engine}/wurfel.js`) ? 'cargo xtask wasm has not been run' : false;
  test(`every search does in ${name} what it does in the program`, { skip, timeout: 600_000 }, async () => {
    assert.equal(await found(program, options, display), SIGNATURES);
  });
}
