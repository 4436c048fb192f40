//! Matches: their score and their games.

use serde::Serialize;
use wurfel_arena::{GameRecord, Header, Score, Summary};

/// Games of a match that are shown, the last ones.
const MOST_GAMES: usize = 200;

/// How two agents stand.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Standing {
    /// Their specs.
    agents: [String; 2],
    /// The game, which is the rule set.
    game: String,
    /// Games that were played.
    played: usize,
    /// Games that will be.
    wanted: u64,
    /// Won by the first agent, drawn, won by the second, of the pairs that are whole.
    score: [u64; 3],
    /// The first agent's win rate, and its 95 % interval.
    rate: f64,
    low: f64,
    high: f64,
    /// The same as a difference in Elo; `None` where there is none.
    elo: [Option<f64>; 3],
}

/// Whether a file with this first line is that of a match.
pub(super) fn begins(line: &str) -> bool {
    serde_json::from_str::<Header>(line).is_ok()
}

/// Reads the file of a match and its games; `None` when it is another one.
pub(super) fn read(text: &str) -> Option<(Standing, Vec<GameRecord>)> {
    let mut lines = text.lines();
    let header: Header = serde_json::from_str(lines.next()?).ok()?;
    let mut games: Vec<GameRecord> =
        lines.map_while(|line| serde_json::from_str(line).ok()).collect();
    let mut score = Score::default();
    for pair in games.chunks_exact(2) {
        score.add([halves(&pair[0]), halves(&pair[1])]);
    }
    let Summary { win_rate, interval, elo, elo_low, elo_high, .. } = score.summary();
    let played = games.len();
    games.drain(..played.saturating_sub(MOST_GAMES));
    let Header { agents, game, pairs, .. } = header;
    let standing = Standing {
        agents,
        game,
        played,
        wanted: 2 * pairs,
        score: [score.wins, score.draws, score.losses],
        rate: win_rate,
        low: interval.low,
        high: interval.high,
        elo: [elo, elo_low, elo_high],
    };
    Some((standing, games))
}

/// The points of the first agent, in halves.
fn halves(game: &GameRecord) -> u8 {
    match (game.result.as_str(), game.first) {
        ("1-0", 0) | ("0-1", 1) => 2,
        ("1-0" | "0-1", _) => 0,
        _ => 1,
    }
}
