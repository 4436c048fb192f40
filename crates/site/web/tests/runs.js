// A folder with a network that learns, matches and a tournament, for the pages that watch them.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

export const runs = mkdtempSync(join(tmpdir(), 'wurfel-runs-'));
export const metrics = join(runs, 'tiny', 'metrics.jsonl');
export const round = (n) =>
  `${JSON.stringify({ round: n, games: 500 * n, positions: 9000, buffer: 9000 * n, steps: 60 * n, rate: 0.004 * 0.98 ** n, policy_loss: 1.1 - 0.02 * n, value_loss: 0.25 - 0.004 * n, entropy: 1.07, gradient: 0.2, game_seconds: 3, step_seconds: 1 })}\n`;
export const header = { format: 'wurfel-games', version: 1, program: 'test', game: 'einstein', agents: ['greedy', 'random'], pairs: 2, seed: 1 };
export const played = (game, first) => ({ pair: 0, game, first, start: '5/1a3/5/3A1/5 r - 1', moves: '@1 d2d1 @1 b4a5', result: '0-1', plies: 2 });
mkdirSync(join(runs, 'tiny'));
writeFileSync(join(runs, 'tiny', 'config.toml'), 'game = "einstein"\nrounds = 20\n');
writeFileSync(metrics, [1, 2, 3, 4, 5].map(round).join(''));
writeFileSync(join(runs, 'faults.jsonl'), [{ ...header, agents: ['cmd:"./engine --flag",protocol=ugi', 'random'] }, played(0, 0), { ...played(1, 1), result: '1-0', fault: [0, 'crash'], reason: 'it ended with exit code 7' }].map((line) => `${JSON.stringify(line)}\n`).join(''));
const cup = { format: 'wurfel-tournament', version: 1, program: 'test', tournament: { name: 'Club', game: 'einstein', format: 'gauntlet', seed: 1, pairs: 1, participant: [{ name: 'Engine', agent: 'cmd:"./engine"' }, { name: 'Other', agent: 'random' }] } };
writeFileSync(join(runs, 'cup.jsonl.part'), [cup, { setups: [[null, null], [null, null]] }, { number: 0, round: 1, players: [0, 1], mean_ms: [1, 1], ...played(0, 0), fault: [0, 'time'], reason: 'it took 2 s' }].map((line) => `${JSON.stringify(line)}\n`).join(''));
writeFileSync(join(runs, 'match.jsonl'), [header, played(0, 0), played(1, 1)].map((line) => `${JSON.stringify(line)}\n`).join(''));
// The roll of a turn stands once, before its first move.
const turn = { pair: 0, game: 0, first: 0, start: '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 -', moves: '@PPK e2e3 e3e4 e1e2 @KKK e8e7', result: '1/2-1/2', plies: 2 };
writeFileSync(join(runs, 'three.jsonl'), [{ ...header, game: 'dicechess3', pairs: 1 }, turn].map((line) => `${JSON.stringify(line)}\n`).join(''));

after(() => rmSync(runs, { recursive: true, force: true }));
