//! The players in several files of results: which entries are the same player, and how players
//! are named.

use wurfel_agents::Spec;

use crate::records::record::one_line;

/// The largest number of players. No tournament has as many, and each resample of ratings takes
/// time proportional to the cube of their number.
const MAX_PLAYERS: usize = 500;

/// A player. Two players are the same if they have the same name and the same spec: a participant
/// that a tournament calls `greedy` need not be the agent `greedy` of a match. A program to which its
/// spec gives a name is the same under every other spec with this name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RatedPlayer {
    /// The name, or the spec where there are no names.
    pub name: String,
    /// The spec of the agent, or the name that it gives to a program.
    pub spec: String,
}

impl RatedPlayer {
    /// A player with this name.
    pub(super) fn named(name: String, spec: &str) -> Self {
        Self { name, spec: name_of(spec) }
    }
}

impl From<String> for RatedPlayer {
    fn from(spec: String) -> Self {
        Self::named(name_of(&spec), &spec)
    }
}

/// The name of a spec's agent; the spec comes from a file and may be malformed.
fn name_of(spec: &str) -> String {
    spec.parse::<Spec>().map_or_else(|_| spec.to_owned(), |spec| spec.label())
}

/// The number of a player, who is added if not yet known. Fails when there are too many players, or
/// when the name or spec contains characters that could control a terminal.
pub(super) fn number(players: &mut Vec<RatedPlayer>, player: RatedPlayer) -> Result<usize, String> {
    if let Some(known) = players.iter().position(|known| *known == player) {
        return Ok(known);
    }
    for text in [&player.name, &player.spec] {
        one_line("player", text)?;
    }
    if players.len() == MAX_PLAYERS {
        return Err(format!("expected at most {MAX_PLAYERS} players in all"));
    }
    players.push(player);
    Ok(players.len() - 1)
}

/// The names that are shown for the players, followed by their specs where two have the same name.
pub(super) fn labels(players: &[RatedPlayer]) -> Vec<String> {
    let label = |RatedPlayer { name, spec }: &RatedPlayer| {
        let is_alone = players.iter().filter(|player| player.name == *name).count() == 1;
        if is_alone { name.clone() } else { format!("{name} ({spec})") }
    };
    players.iter().map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str, spec: &str) -> RatedPlayer {
        RatedPlayer { name: name.to_owned(), spec: spec.to_owned() }
    }

    #[test]
    fn players_are_distinguished_by_name_and_spec() {
        let mut players = vec![];
        let all =
            [("A", "uct"), ("greedy", "greedy"), ("greedy", "star2"), ("B", "uct"), ("A", "uct")];
        let numbers = all.map(|(name, spec)| number(&mut players, player(name, spec)));
        assert_eq!(numbers, [Ok(0), Ok(1), Ok(2), Ok(3), Ok(0)]);
        assert_eq!(labels(&players), ["A", "greedy (greedy)", "greedy (star2)", "B"]);
    }

    /// A program with other options, or in another folder, was another player.
    #[test]
    fn a_program_with_a_name_is_one_player_under_two_specs() {
        let of = |spec: &str| RatedPlayer::from(spec.to_owned());
        let [one, other] =
            [r#"cmd:"./bot",name=Bot"#, r#"cmd:"/old/bot --fast",depth=3,name=Bot"#].map(of);
        assert_eq!(one, other);
        assert_eq!((&*one.name, &*one.spec), ("Bot", "Bot"));
        assert_eq!(one, RatedPlayer::named("Bot".to_owned(), r#"cmd:"./bot",name=Bot"#));
        assert_ne!(one, of(r#"cmd:"./bot""#));
        // Only programs have names.
        assert_eq!(of("uct:name=Bot").name, "uct:name=Bot");
    }

    #[test]
    fn names_that_would_command_a_terminal_are_refused() {
        let error = number(&mut vec![], player("A", "\x1b[2J")).unwrap_err();
        assert_eq!(error, "player \"\\u{1b}[2J\": expected a text on one line");
    }

    #[test]
    fn too_many_players_are_refused_before_anything_is_rated() {
        let mut players = vec![];
        for count in 0..MAX_PLAYERS {
            assert_eq!(number(&mut players, player(&count.to_string(), "")), Ok(count));
        }
        let error = number(&mut players, player("one more", "")).unwrap_err();
        assert_eq!(error, "expected at most 500 players in all");
        assert_eq!(number(&mut players, player("7", "")), Ok(7));
    }
}
