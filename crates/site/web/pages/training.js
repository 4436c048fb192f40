// The training of a network: its metrics over the rounds, as line charts.

import { chart, short } from '../chart.js';
import { h, head, percent, points, signed } from '../dom.js';
import { called, decimals, parts, t } from '../language.js';

/**
 * The charts in this order, each with a title and its columns. Columns that
 * nobody knows get a chart of their own.
 * @type {[string, [string, string][]][]}
 */
const CHARTS = [
  [t('chart.losses'), [['policy_loss', t('line.policy')], ['value_loss', t('line.value')], ['loss', t('line.both')]]],
  [t('chart.variance'), [['variance', t('line.recent')]]],
  [t('chart.learning'), [['learning_rate', t('line.rate')]]],
  [t('chart.speed'), [['games_per_second', t('line.speed')]]],
  [t('chart.buffer'), [['buffer', t('line.positions')]]],
  [t('chart.entropy'), [['entropy', t('line.nats')]]],
  [t('chart.gradient'), [['gradient', t('line.length')]]],
  [t('chart.weights'), [['policy_weight', t('line.policy')], ['value_weight', t('line.value')]]],
  [t('chart.seconds'), [['game_seconds', t('line.games')], ['step_seconds', t('line.steps')]]],
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
  const known = CHARTS.flatMap(([, shown]) => shown.map(([name]) => name));
  const against = Object.keys(columns).filter((name) => name.startsWith(AGAINST));
  const others = Object.keys(columns).filter((name) => !known.includes(name) && !COUNTS.includes(name) && !against.includes(name));
  const rates = against.map((name) => ({ name: name.slice(AGAINST.length), values: columns[name].map((rate) => rate && 100 * rate) }));
  /** @type {[string, [string, string][]][]} */
  const all = [...CHARTS, ...others.map((name) => /** @type {[string, [string, string][]]} */ ([name.replaceAll('_', ' '), [[name, name]]]))];
  const charts = all.flatMap(([title, shown]) => {
    const lines = shown.filter(([name]) => columns[name]).map(([name, told]) => ({ name: told, values: columns[name] }));
    return lines.length ? [chart(title, rounds, lines)] : [];
  });
  const last = (/** @type {string} */ name) => short(columns[name]?.findLast((value) => value !== null) ?? 0);
  const counts = { done, games: last('games'), steps: last('steps') };
  const lead = wanted === null ? t('training.round', counts) : t('training.round.of', { ...counts, wanted });
  return [
    h('p', { class: 'lead' }, game ? `${lead} – ${called(`game.${game}`, game)}` : lead),
    wanted !== null && h('progress', { max: wanted, value: done, 'aria-label': t('training.done') }),
    h('div', { class: 'charts' }, ...charts),
    h('h2', {}, t('training.strength')),
    rates.length > 0 && h('div', { class: 'charts' }, chart(t('training.against'), rounds, rates)),
    matches.length > 0 && strength(matches),
    !matches.length && !rates.length && h('p', { class: 'soft' }, ...parts('training.none', { command: h('code', {}, 'wurfel match alphazero:net=DIR/net.safetensors expecti:depth=1 --out DIR/strength.jsonl') })),
  ];
}

/** @param {Training['matches']} matches */
function strength(matches) {
  const elo = (/** @type {Played['elo']} */ [middle, low, high]) =>
    middle === null ? '–' : low === null || high === null ? signed(middle, 0) : t('match.range', { value: signed(middle, 0), low: signed(low, 0), high: signed(high, 0) });
  return h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('training.strength') },
    h('table', { class: 'standings' },
      head([t('column.match'), t('column.agents'), `#${t('column.games')}`, `#${t('column.rate')}`, '#Elo']),
      h('tbody', {}, ...matches.map(({ name, agents, played, wanted, rate, low, high, elo: gap }) =>
        h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, `${agents[0]} – ${agents[1]}`),
          h('td', { class: 'number' }, played < wanted ? t('training.of', { played, wanted }) : decimals(played, 0)),
          h('td', { class: 'number' }, t('match.range', { value: percent(rate), low: points(low), high: points(high) })),
          h('td', { class: 'number' }, elo(gap)))))));
}
