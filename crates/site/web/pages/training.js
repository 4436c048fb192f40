// The training of a network: its metrics over the rounds, as line charts.

import { chart, short } from '../chart.js';
import { h, head, percent, signed } from '../dom.js';

/**
 * The charts in this order, each with a title and its columns. Columns that
 * nobody knows get a chart of their own.
 * @type {[string, [string, string][]][]}
 */
const CHARTS = [
  ['Losses', [['policy_loss', 'policy'], ['value_loss', 'value'], ['loss', 'both']]],
  ['Variance of the loss', [['variance', 'of the last rounds']]],
  ['Learning rate', [['learning_rate', 'rate']]],
  ['Games per second', [['games_per_second', 'games/s']]],
  ['Buffer', [['buffer', 'positions']]],
  ['Entropy of the policy', [['entropy', 'nats']]],
  ['Gradient', [['gradient', 'length']]],
  ['Weights of the losses', [['policy_weight', 'policy'], ['value_weight', 'value']]],
  ['Seconds per round', [['game_seconds', 'games'], ['step_seconds', 'steps']]],
];
/** The prefix of the names of win rates. */
const AGAINST = 'against ';
/** Columns that are counts and are not drawn. */
const COUNTS = ['round', 'games', 'positions', 'steps'];

/** Adds the number of games per second. @param {Record<string, (number | null)[]>} columns */
function withSpeed(columns) {
  const { games, game_seconds: seconds } = columns;
  if (!games || !seconds) return columns;
  const speed = games.map((count, n) => {
    const rounds = n ? Number(columns.round?.[n]) - Number(columns.round?.[n - 1]) : Number(columns.round?.[0]);
    const played = (count ?? 0) - (n ? (games[n - 1] ?? 0) : 0);
    const spent = seconds[n];
    return spent && played >= 0 ? played / Math.max(1, rounds) / spent : null;
  });
  return { ...columns, games_per_second: speed };
}

/** @param {Training} run */
export function training({ game, done, wanted, columns: read, matches }) {
  const columns = withSpeed(read);
  const rounds = columns.round ?? [];
  const known = CHARTS.flatMap(([, parts]) => parts.map(([name]) => name));
  const against = Object.keys(columns).filter((name) => name.startsWith(AGAINST));
  const others = Object.keys(columns).filter((name) => !known.includes(name) && !COUNTS.includes(name) && !against.includes(name));
  const rates = against.map((name) => ({ name: name.slice(AGAINST.length), values: columns[name].map((rate) => rate && 100 * rate) }));
  /** @type {[string, [string, string][]][]} */
  const all = [...CHARTS, ...others.map((name) => /** @type {[string, [string, string][]]} */ ([name.replaceAll('_', ' '), [[name, name]]]))];
  const charts = all.flatMap(([title, parts]) => {
    const lines = parts.filter(([name]) => columns[name]).map(([name, told]) => ({ name: told, values: columns[name] }));
    return lines.length ? [chart(title, rounds, lines)] : [];
  });
  const last = (/** @type {string} */ name) => short(columns[name]?.findLast((value) => value !== null) ?? 0);
  const counted = `${last('games')} games, ${last('steps')} steps${game ? `, ${game}` : ''}.`;
  return [
    h('p', { class: 'lead' }, `Round ${done}${wanted ? ` of ${wanted}` : ''}: ${counted}`),
    wanted !== null && h('progress', { max: wanted, value: done, 'aria-label': 'Rounds done' }),
    h('div', { class: 'charts' }, ...charts),
    h('h2', {}, 'Strength'),
    rates.length > 0 && h('div', { class: 'charts' }, chart('Win rate in per cent against', rounds, rates)),
    matches.length > 0 && strength(matches),
    !matches.length && !rates.length && h('p', { class: 'soft' }, 'There is no match of this network in its folder. ', h('code', {}, 'wurfel match alphazero:net=DIR/net.safetensors expecti:depth=1 --out DIR/strength.jsonl'), ' plays one, and it is shown here.'),
  ];
}

/** @param {Training['matches']} matches */
function strength(matches) {
  const elo = (/** @type {Played['elo']} */ [middle, low, high]) =>
    middle === null ? '–' : `${signed(middle, 0)}${low === null || high === null ? '' : ` (${signed(low, 0)} to ${signed(high, 0)})`}`;
  return h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Strength' },
    h('table', { class: 'standings' },
      head(['Match', 'Agents', '#Games', '#Win rate', '#Elo']),
      h('tbody', {}, ...matches.map(({ name, agents, played, wanted, rate, low, high, elo: gap }) =>
        h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, `${agents[0]} – ${agents[1]}`),
          h('td', { class: 'number' }, played < wanted ? `${played} of ${wanted}` : String(played)),
          h('td', { class: 'number' }, `${percent(rate)} (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`),
          h('td', { class: 'number' }, elo(gap)))))));
}
