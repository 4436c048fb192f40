//! Matches and tournaments whose agents choose their set-ups.

use wurfel_arena::{Match, Output, SetUps, Tournament};
use wurfel_core::{Budget, BySide, Side};
use wurfel_games::Playable;
use wurfel_games::dicechess::DiceChess;
use wurfel_games::einstein::Einstein;

/// The starts of the games of a match, and which agent was the first side.
fn starts(arranged: &Match<Einstein>) -> Vec<(u64, usize, String)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let output = Output::open(&path, &arranged.header(), false).unwrap();
    arranged.run(2, Some(output), &mut |_| {}).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let games = text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap());
    let start = |game: wurfel_arena::GameRecord| (game.pair, usize::from(game.first), game.start);
    games.map(start).collect()
}

fn arranged(agents: [&str; 2], chosen: bool) -> Match<'static, Einstein> {
    let specs = agents.map(|spec| spec.parse().unwrap());
    let mut arranged = Match::new(&Einstein::default(), specs, 10, 3).unwrap();
    if chosen {
        arranged.choose_setups(2).unwrap();
    }
    arranged
}

#[test]
fn each_agent_begins_with_its_own_set_up_on_either_side() {
    let arranged = arranged(["expecti:depth=1", "expecti:depth=1,eval=odema"], true);
    let chosen = arranged.chosen.unwrap();
    for (_, first, start) in starts(&arranged) {
        let of = |side: Side| chosen[(first + side.index()) % 2][side].unwrap();
        assert_eq!(start, Einstein::default().start(BySide::from_fn(of)).to_string());
    }
    assert_ne!(chosen[0], chosen[1]);
}

/// An agent chooses its set-up before it knows its opponent, so its choice cannot depend on the opponent's.
#[test]
fn a_choice_does_not_depend_on_the_opponent() {
    let [one, other] = ["random", "expecti:depth=1,eval=odema"]
        .map(|opponent| arranged(["expecti:depth=1", opponent], true).chosen.unwrap()[0]);
    assert_eq!(one, other);
}

#[test]
fn agents_that_draw_begin_as_if_all_were_drawn() {
    let agents = ["random", "greedy"];
    let random_starts = starts(&arranged(agents, false));
    assert_eq!(starts(&arranged(agents, true)), random_starts);
    let different: std::collections::HashSet<_> =
        random_starts.iter().map(|game| &game.2).collect();
    assert_eq!(different.len(), 10, "one start for each pair");
}

#[test]
fn the_header_says_where_set_ups_came_from() {
    let text =
        |chosen| serde_json::to_string(&arranged(["random", "greedy"], chosen).header()).unwrap();
    assert!(text(true).contains(r#""setups":"chosen""#));
    // The header of an older file does not have this field and still belongs to the same match.
    assert!(!text(false).contains("setups"));
}

#[test]
fn a_game_without_set_ups_refuses() {
    let specs = || ["greedy", "random"].map(|spec| spec.parse().unwrap());
    let mut chess = Match::new(&DiceChess::default(), specs(), 1, 1).unwrap();
    let refused = chess.choose_setups(1).unwrap_err().to_string();
    let expected = "set-ups cannot be chosen: expected a game in which the sides arrange their \
                    pieces, which dicechess is not";
    assert_eq!(refused, expected);
    let (budget, setups) = (Budget::default(), SetUps::Chosen);
    let specs = specs().into();
    let all = Tournament { specs, pairs: 1, seed: 1, budget, setups, luck: false };
    let refused = all.run(&DiceChess::default(), 1, None, &mut |_, _| ()).unwrap_err().to_string();
    assert_eq!(refused, expected);
}
