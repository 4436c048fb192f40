// How fast the module searches in Node.js, and the program beside it, one after the other so that both meet the same
// machine: node crates/wasm/benches/depth.js PROGRAM [DEPTH]

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const folder = process.env.WURFEL_WASM ?? new URL('../../../target/engine', import.meta.url).pathname;
const { Agent, Position, initSync, provide } = await import(pathToFileURL(`${folder}/wurfel.js`).href);
initSync({ module: readFileSync(`${folder}/wurfel_bg.wasm`) });
provide('einstein.weights', readFileSync(`${folder}/einstein.weights`));

const [program, depth = '7'] = process.argv.slice(2);
const TEXT = 'ABC2/DE3/F3f/3ed/2cba r 4 1';
const RUNS = 15;

function inModule() {
  const agent = new Agent('champion', 'einstein', 1);
  const report = agent.analyse(new Position(TEXT, 'einstein'), { depth: Number(depth) });
  agent.free();
  return report;
}

const inProgram = () => JSON.parse(execFileSync(program, ['analyse', TEXT, '--depth', depth, '--json'], { encoding: 'utf8' }));

const times = { module: [], program: [] };
// The first run compiles the module, and is not measured.
const { nodes } = inModule();
for (let run = 0; run < RUNS; run += 1) {
  times.module.push(inModule().seconds);
  const report = inProgram();
  times.program.push(report.seconds);
  if (report.nodes !== nodes) throw new Error(`${nodes} nodes in the module, ${report.nodes} in the program`);
}
const median = (numbers) => numbers.sort((one, other) => one - other)[(RUNS - 1) / 2];
const [here, there] = [median(times.module), median(times.program)];
console.log(`depth ${depth}, ${nodes.toLocaleString('en')} nodes: ${here.toFixed(3)} s in the module, ${there.toFixed(3)} s in the program, ${(here / there).toFixed(2)} times as long (medians of ${RUNS})`);
