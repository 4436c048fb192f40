//! Matches: their score and their games.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use serde::Serialize;
use wurfel_arena::{GameRecord, MatchHeader, Score, Summary};

use super::lines::Lines;

/// The number of games of a match that are shown, the last ones.
const MAX_GAMES: usize = 200;

/// The score between two agents.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Played"))]
pub(crate) struct MatchScore {
    /// The specs of the two agents.
    agents: [String; 2],
    /// The game, which is the rule set.
    game: String,
    /// The number of games played.
    played: usize,
    /// The number of games in all.
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
) -> io::Result<Option<(MatchScore, Vec<GameRecord>)>> {
    let Some(header) = lines.read::<MatchHeader>()? else { return Ok(None) };
    let (mut score, mut played) = (Score::default(), 0);
    // The pair whose first game has been read, and the points of that game.
    let mut waiting: Option<(u64, u8)> = None;
    let mut games = VecDeque::new();
    while let Some(game) = lines.read::<GameRecord>()? {
        played += 1;
        waiting = match (waiting, game.halves()) {
            (Some((pair, first)), Some(second)) if (pair, 1) == (game.pair, game.game) => {
                score.add([first, second]);
                None
            }
            (_, Some(first)) if game.game == 0 => Some((game.pair, first)),
            _ => None,
        };
        if games.len() == MAX_GAMES {
            games.pop_front();
        }
        games.push_back(game);
    }
    let Summary { win_rate, interval, elo, elo_low, elo_high, .. } = score.summary();
    let MatchHeader { agents, game, pairs, .. } = header;
    let standing = MatchScore {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_both_games_of_a_pair_count() {
        let header = concat!(
            r#"{"format":"wurfel-games","version":1,"program":"","game":"einstein","#,
            r#""agents":["a","b"],"pairs":9,"seed":1}"#,
        );
        let games = [
            // A pair that the first agent won, and one that ended even.
            (0, 0, 0, "1-0"),
            (0, 1, 1, "0-1"),
            (1, 0, 0, "1/2-1/2"),
            (1, 1, 1, "1/2-1/2"),
            // Halves of three pairs, one of which is still open.
            (2, 0, 0, "0-1"),
            (3, 0, 0, "0-1"),
            (3, 1, 1, "*"),
            (4, 1, 1, "1-0"),
            // A pair that the second agent won.
            (5, 0, 0, "0-1"),
            (5, 1, 1, "1-0"),
        ];
        let game = |(pair, game, first, result)| {
            format!(
                r#"{{"pair":{pair},"game":{game},"first":{first},"start":"","moves":"","result":"{result}","plies":0}}"#
            )
        };
        let lines: Vec<String> = [header.to_owned()].into_iter().chain(games.map(game)).collect();
        let file = lines.join("\n") + "\n";
        let (standing, games) = read(Lines::new(file.as_bytes())).unwrap().unwrap();
        assert_eq!((standing.played, games.len()), (10, 10));
        assert_eq!(standing.score, [2, 2, 2]);
    }
}
