// The module in Node.js, as `cargo xtask wasm` has built it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const folder = process.env.WURFEL_WASM ?? new URL('../../../target/engine', import.meta.url).pathname;
const wurfel = await import(pathToFileURL(`${folder}/wurfel.js`).href);
wurfel.initSync({ module: readFileSync(`${folder}/wurfel_bg.wasm`) });
const { Agent, Analysis, Game, Position, Rollout, Site, analyse, bench, files, games, provide, review, signatures } = wurfel;

/** Gives the module a file, as a page does that has loaded it. */
const load = (name) => provide(name, readFileSync(`${folder}/${name}`));

const TEXT = 'ABC2/DE3/F3f/3ed/2cba r 4 1';
const position = () => new Position(TEXT, 'einstein');

/** Does work, and loads each file that it turns out to need; returns their names. */
function needs(work) {
  const loaded = [];
  for (;;) {
    try {
      work();
      return loaded;
    } catch (error) {
      assert.ok(error.file && !loaded.includes(error.file), String(error));
      load(error.file);
      loaded.push(error.file);
    }
  }
}

test('the package has all files that a page loads, and their types', () => {
  const [packed] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: folder, encoding: 'utf8' }));
  const names = packed.files.map(({ path }) => path);
  for (const name of ['wurfel.js', 'wurfel.d.ts', 'wurfel_bg.wasm', 'board.html', 'README.md', ...files()]) assert.ok(names.includes(name), name);
  const { main, types, exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  assert.deepEqual([main, types, exports['.'].default], ['wurfel.js', 'wurfel.d.ts', './wurfel.js']);
});

test('an agent says which file it needs, and no other one is loaded', () => {
  const decide = (spec, game) => new Agent(spec, game, 1).decide(new Game(game).start().stepChance(1), { depth: 1, nodes: 10 });
  assert.throws(signatures, ({ file }) => file === 'einstein.weights');
  assert.deepEqual(needs(() => decide('expecti:depth=1', 'einstein')), []);
  assert.deepEqual(needs(() => new Site().puzzle('dicechess3', 1)), ['dicechess3.replies', 'dicechess3.weights', 'dicechess3.puzzles']);
  assert.deepEqual(needs(() => new Rollout(position(), 'greedy', { moves: 2, games: 10 })), ['einstein.weights']);
  assert.deepEqual(needs(() => decide('champion', 'einstein-nearest')), []);
  assert.deepEqual(needs(() => decide('champion', 'dicechess')), ['dicechess.weights']);
  assert.deepEqual(needs(() => decide('star2:eval=mlp', 'dicechess')), ['dicechess-mlp.weights']);
  assert.deepEqual(needs(() => decide('policy', 'dicechess')), ['dicechess-net.safetensors']);
  assert.throws(() => provide('einstein-net.safetensors', new Uint8Array(9)), /^Error: file 'einstein-net.safetensors': expected/);
  assert.throws(() => provide('nothing', new Uint8Array(9)), /expected one of files/);
  assert.deepEqual(needs(() => decide('alphazero', 'einstein')), ['einstein-net.safetensors']);
  assert.deepEqual(readdirSync(folder).filter((name) => /\.(weights|replies|puzzles|safetensors)$/.test(name)).sort(), files());
});

test('a game of a room is played to its end, and goes on from its record', () => {
  const site = new Site();
  const request = { game: 'einstein', players: [{ kind: 'person' }, { kind: 'agent', spec: 'random' }], pace_ms: 5 };
  let room = site.open('own-1', JSON.stringify(request));
  const { dice } = room.view();
  room.act(JSON.stringify({ do: 'begin', salt: 'pepper' }));
  while (!room.view().end) {
    room = wurfel.Room.reopen(room.record());
    const { scene } = room.view();
    if (room.pace() === undefined) room.act(JSON.stringify({ do: 'move', move: scene.moves[0].text }));
    else room.think(site);
  }
  const view = room.view();
  assert.deepEqual([view.end.reason, view.dice.commitment, view.dice.salt], ['rules', dice.commitment, 'pepper']);
  const steps = [];
  const { moves } = site.review(JSON.stringify({ text: JSON.stringify(room.shownRecord()) }), (progress) => steps.push(progress));
  assert.equal(moves.length, view.steps.length);
  assert.deepEqual(steps.filter(({ again }) => !again).map(({ done }) => done), Array.from({ length: moves.length + 1 }, (_, place) => place + 1));
  assert.throws(() => room.act(JSON.stringify({ do: 'resign' })), /^Error: the game is over/);
  assert.throws(() => site.open('own-2', JSON.stringify({ ...request, players: [request.players[0], request.players[0]], guest: 1 })), /needs a server/);
  assert.throws(() => wurfel.Room.reopen('{}'), Error);
});

test('every search of every game does what it does in the program', () => {
  const stored = readFileSync(new URL('../../lab/signature.txt', import.meta.url), 'utf8');
  assert.equal(signatures(), stored);
  assert.deepEqual(games(), [...new Set(stored.trim().split('\n').map((line) => line.split(' ')[0]))]);
  const [first] = bench('einstein');
  assert.deepEqual(Object.keys(first), ['game', 'agent', 'nodes', 'seconds', 'nodes_per_second', 'signature']);
});

test('every value is the one that the program finds', () => {
  const stored = readFileSync(new URL('../../wurfel/tests/values.jsonl', import.meta.url), 'utf8');
  const lines = stored.trim().split('\n').map((line) => JSON.parse(line));
  let [agent, playing] = [null, ''];
  for (const [game, spec, sample, values] of lines) {
    if (`${game} ${spec}` !== playing) [agent, playing] = [new Agent(spec, game, 1), `${game} ${spec}`];
    const { moves } = agent.analyse(new Position(sample, game), { nodes: 1000 });
    assert.deepEqual(moves.map(({ value }) => value), values, `${game} ${spec} ${sample}`);
  }
  assert.deepEqual([...new Set(lines.map(([game]) => game))], games());
});

test('a position is read, rolled and played', () => {
  const game = new Game('einstein');
  assert.equal(game.title, 'EinStein würfelt nicht!');
  assert.ok(game.samples.includes(TEXT));
  const at = position();
  assert.deepEqual([at.game, at.text, at.roll, at.side, at.ply, at.outcome], ['einstein', TEXT, '4', 0, 1, undefined]);
  assert.deepEqual(at.legalMoves().sort(), ['a4a3', 'a4b3', 'a4b4']);
  const after = at.play('a4b4');
  assert.equal(after.roll, undefined);
  assert.equal(after.rolled('3').roll, '3');
  assert.equal(after.stepChance(7).text, after.stepChance(7).text);
  assert.equal(at.after('a4b4 @3').text, after.rolled('3').text);
  assert.match(at.diagram(), /^5 {2}A {2}B/);
  assert.equal(at.scene().position, TEXT);
  assert.equal(game.setup(1).text, game.setup(1).text);
});

test('an analysis looks one turn further with each report, until nobody wants more', () => {
  const reports = [];
  const last = analyse(position(), 'champion', { depth: 4 }, (report) => void reports.push(report));
  assert.deepEqual(reports.map(({ depth }) => depth), [1, 2, 3, 4]);
  assert.equal(last.moves[0].move, 'a4b4');
  let count = 0;
  const stopped = analyse(position(), 'champion', { depth: 9 }, () => ++count < 2);
  assert.deepEqual([count, stopped.depth], [2, 2]);
  assert.throws(() => analyse(position(), 'champion', { depth: 9 }, () => { throw new TypeError('mine'); }), /^TypeError: mine/);
});

test('an analysis that finds nothing exact goes on until its time is over', () => {
  // A search begins no deeper turn when nearly half of its time is gone. Wherever that is, the report is not the last one.
  for (let time = 0.002; time < 0.01; time *= 1.03) {
    const analysis = new Analysis(position(), 'expecti', { time: 60 });
    for (let reports = 1; reports <= 7; reports++) {
      analysis.next(time);
      assert.ok(!analysis.isDone, `${reports} reports of ${time} s`);
    }
  }
});

test('a worker asks for one report after the other, each bounded in time', () => {
  const analysis = new Analysis(position(), undefined, { time: 0.5 });
  let report;
  // However busy the machine is, a report brings a turn more or says that the time is over.
  let reports = 0;
  while (!analysis.isDone && reports++ < 100) report = analysis.next(0.05);
  assert.ok(analysis.isDone && report.depth > 0, `${report.depth} after ${reports} reports`);
  // Two cubes are left, so that the values are exact, and there is nothing more to find.
  const ending = new Analysis(new Position('5/1A3/5/3a1/5 r 4 1', 'einstein'));
  assert.ok(ending.next().moves.every(({ exact }) => exact) && ending.isDone);
  const rolls = analyse(new Position('5/1A3/2B2/2c1a/5 b - 1', 'einstein'), 'expecti', { depth: 2 });
  assert.equal(rolls.rolls.reduce((sum, { weight }) => sum + weight, 0), 6);
});

test('an agent decides, games are reviewed and moves are played out', () => {
  const agent = new Agent('uct:playouts=500', 'dicechess', 1);
  const start = new Game('dicechess').start().stepChance(3);
  const decided = agent.decide(start);
  assert.ok(start.legalMoves().includes(decided.move));
  agent.begin(1);
  assert.equal(agent.analyse(start).moves.length, start.legalMoves().length);
  agent.begin(1);
  assert.equal(agent.decide(start).move, decided.move);
  const seen = [];
  const [report] = review(`${TEXT.replace(' 4 1', ' - 1')} @4 a4b4 @3 c1c2`, { bounds: { depth: 2 } }, (report) => void seen.push(report));
  assert.deepEqual([report.moves.length, seen.length], [2, 1]);
  assert.equal(report.moves[0].lost, 0);
  const rollout = new Rollout(position(), 'greedy', { moves: 2, games: 60 });
  let comparison;
  while (!rollout.isDone) comparison = rollout.next(0.01);
  assert.deepEqual(comparison.moves.map(({ move }) => move).sort().length, 2);
  assert.deepEqual(new Rollout(position(), 'greedy', { moves: 2, games: 60 }).next().moves, comparison.moves);
});

/** The message of the error that a call throws. */
function message(call) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof Error && !(error instanceof WebAssembly.RuntimeError), String(error));
    return error.message;
  }
  return assert.fail(`no error: ${call}`);
}

test('what is wrong is an error of one line, and the module goes on', () => {
  const spec = (text) => () => new Agent(text, 'einstein', 1).decide(position(), { depth: 1 });
  const messages = [
    () => new Game('einstien'),
    () => new Position('ABC2/DE3/F3f/3ed/2cbx r 4 1', 'einstein'),
    () => position().play('a1a2'),
    () => position().rolled('3'),
    () => new Game('einstein').setup(-1),
    () => new Game('einstein').setup(Number.NaN),
    spec('gredy'),
    spec('cmd:"./engine"'),
    spec('champion:weights=/nothing/here'),
    spec('alphazero:net=/nothing/here'),
    () => new Agent('greedy', 'einstein', 1).decide(new Game('dicechess').start().stepChance(1)),
    () => new Agent('greedy', 'einstein', 1).decide(position().play('a4b4')),
    () => new Agent('champion', 'einstein', 1).decide(position(), { depht: 3 }),
    () => new Agent('champion', 'einstein', 1).decide(position(), { depth: 99 }),
    () => new Agent('champion', 'einstein', 1).decide(position(), 5n),
    () => analyse(new Position('5/5/5/5/4A b - 9', 'einstein')),
    () => new Analysis(position(), 'champion').next(-1),
    () => review('no game'),
    () => review(TEXT, { agents: 'champion' }),
    () => new Rollout(position(), 'greedy', { moves: 0 }),
    () => new Rollout(position(), 'random', { truncate: 3 }),
    () => bench('chess'),
  ].map(message);
  for (const text of messages) assert.match(text, /^\S[^\n]+$/);
  assert.match(messages[0], /unknown game 'einstien'.*einstein/);
  assert.match(messages[12], /^options: unknown field `depht`/);
  assert.equal(messages[13], 'depth=99: expected a whole number from 1 to 64');
});

test('agents that would take threads do without', () => {
  for (const spec of ['champion:threads=4,depth=6', 'uct:trees=4,playouts=400']) {
    assert.ok(new Agent(spec, 'einstein', 1).decide(position()).move, spec);
  }
});
