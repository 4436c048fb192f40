// How much CPU time a search of the champion takes in the module in Node.js, and in the program beside it, one
// after the other so that both meet the same machine: node crates/wasm/benches/depth.js PROGRAM [RUNS]

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const folder = process.env.WURFEL_WASM ?? new URL('../../../target/engine', import.meta.url).pathname;
const { Agent, Position, files, initSync, provide } = await import(pathToFileURL(`${folder}/wurfel.js`).href);
initSync({ module: readFileSync(`${folder}/wurfel_bg.wasm`) });
for (const file of files()) provide(file, readFileSync(`${folder}/${file}`));

const [program, runs = '15'] = process.argv.slice(2);
const SEARCHES = [
  ['einstein', 'ABC2/DE3/F3f/3ed/2cba r 4 1', 7],
  ['dicechess3', 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 RQK', 3],
];

/** The nodes of a search, and the seconds of CPU time that it takes in the module. */
function inModule(game, text, depth) {
  const agent = new Agent('champion', game, 1);
  const before = process.cpuUsage();
  const { nodes } = agent.analyse(new Position(text, game), { depth });
  const { user, system } = process.cpuUsage(before);
  agent.free();
  return { nodes, seconds: (user + system) / 1e6 };
}

/** The same in the program, with its start. */
function inProgram(game, text, depth) {
  const line = `TIMEFORMAT='%U %S'; time "$0" analyse "$1" --game ${game} --depth ${depth} --json`;
  const { stdout, stderr } = spawnSync('bash', ['-c', line, program, text], { encoding: 'utf8' });
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { nodes: JSON.parse(stdout).nodes, seconds: user + system };
}

const median = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];

for (const search of SEARCHES) {
  const times = { module: [], program: [] };
  // The first run compiles the module, and is not measured.
  const { nodes } = inModule(...search);
  for (let run = 0; run < Number(runs); run += 1) {
    times.module.push(inModule(...search).seconds);
    const there = inProgram(...search);
    times.program.push(there.seconds);
    if (there.nodes !== nodes) throw new Error(`${nodes} nodes in the module, ${there.nodes} in the program`);
  }
  const [game, , depth] = search;
  const [here, there] = [median(times.module), median(times.program)];
  console.log(`${game}, depth ${depth}, ${nodes.toLocaleString('en')} nodes: ${here.toFixed(3)} s in the module, ${there.toFixed(3)} s in the program, ${(here / there).toFixed(2)} times as long (medians of ${runs})`);
}
