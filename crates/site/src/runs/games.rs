//! Matches: their score and their games.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use serde::Serialize;
use wurfel_arena::{GameRecord, MatchHeader, Score, Summary};

use super::lines::Lines;

/// How many games of a match are shown; they are the last ones.
const MAX_GAMES: usize = 200;

/// The score between two agents.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Standing {
    agents: [String; 2],
    /// The game, which is the rule set.
    game: String,
    /// How many games have been played.
    played: usize,
    /// How many games there will be.
    wanted: u64,
    /// Games won by the first agent, drawn, and won by the second agent, counting only whole pairs.
    score: [u64; 3],
    /// The first agent's win rate, and below, its 95 % interval.
    rate: f64,
    low: f64,
    high: f64,
    /// The win rate and the ends of its interval as Elo differences; `None` where there is no
    /// finite one.
    elo: [Option<f64>; 3],
}

/// Reads the file of a match and its last games; `None` when the file is of another kind.
pub(super) fn read<R: BufRead>(
    mut lines: Lines<R>,
) -> io::Result<Option<(Standing, Vec<GameRecord>)>> {
    let Some(header) = lines.read::<MatchHeader>()? else { return Ok(None) };
    let (mut score, mut played, mut first) = (Score::default(), 0, None);
    let mut games = VecDeque::new();
    while let Some(game) = lines.read::<GameRecord>()? {
        played += 1;
        first = match first {
            None => Some(halves(&game)),
            Some(first) => {
                score.add([first, halves(&game)]);
                None
            }
        };
        if games.len() == MAX_GAMES {
            games.pop_front();
        }
        games.push_back(game);
    }
    let Summary { win_rate, interval, elo, elo_low, elo_high, .. } = score.summary();
    let MatchHeader { agents, game, pairs, .. } = header;
    let standing = Standing {
        agents,
        game,
        played,
        wanted: pairs.saturating_mul(2),
        score: [score.wins, score.draws, score.losses],
        rate: win_rate,
        low: interval.low,
        high: interval.high,
        elo: [elo, elo_low, elo_high],
    };
    Ok(Some((standing, games.into())))
}

/// The points of the first agent, in halves.
fn halves(game: &GameRecord) -> u8 {
    match (game.result.as_str(), game.first) {
        ("1-0", 0) | ("0-1", 1) => 2,
        ("1-0" | "0-1", _) => 0,
        _ => 1,
    }
}
