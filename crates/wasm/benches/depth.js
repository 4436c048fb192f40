// How fast the module searches in Node.js: node crates/wasm/benches/depth.js [DEPTH]
// Beside it: wurfel analyse 'ABC2/DE3/F3f/3ed/2cba r 4 1' --depth DEPTH

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const folder = process.env.WURFEL_WASM ?? new URL('../../../target/engine', import.meta.url).pathname;
const { Agent, Position, initSync } = await import(pathToFileURL(`${folder}/wurfel.js`).href);
initSync({ module: readFileSync(`${folder}/wurfel_bg.wasm`) });

const depth = Number(process.argv[2] ?? 7);
const position = new Position('ABC2/DE3/F3f/3ed/2cba r 4 1', 'einstein');
const times = [];
let nodes;
for (let run = 0; run < 7; run += 1) {
  const agent = new Agent('champion', 'einstein', 1);
  const began = performance.now();
  ({ nodes } = agent.analyse(position, { depth }));
  times.push((performance.now() - began) / 1000);
  agent.free();
}
times.sort((one, other) => one - other);
console.log(`depth ${depth}: ${nodes.toLocaleString('en')} nodes, ${times[3].toFixed(3)} s (median of ${times.length}), ${(nodes / times[3] / 1e6).toFixed(1)} M nodes/s`);
