//! The tables in CSV beside the records of a match.

use std::fs;

use wurfel_arena::{Entrant, Match, Output, read_games};
use wurfel_core::{Evaluator, Game, Side};
use wurfel_games::Playable;
use wurfel_games::einstein::{Einstein, Official, Zweistein};

/// The rows of a table as the values of one of its columns.
fn column(table: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let place = reader.headers().unwrap().iter().position(|column| column == name).unwrap();
    reader.records().map(|row| row.unwrap()[place].to_owned()).collect()
}

/// The column of the board has the evaluation of the game, whichever agent plays: `random`
/// estimates nothing, and `expecti` looks ahead.
#[test]
fn boards_are_evaluated_alike_for_every_agent() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let entrant = |spec: &str| Entrant::new(&Einstein::default(), spec.parse().unwrap()).unwrap();
    let game = Match::between([entrant("expecti:depth=1"), entrant("random")], 3, 5);
    let output = Output::open(&path, &game.header(), true).unwrap();
    game.run(2, Some(output), &mut |_| ()).unwrap();
    let read = |end: &str| fs::read_to_string(path.with_extension(end)).unwrap();
    let (moves, games) = (read("moves.csv"), read("games.csv"));
    assert_eq!(Einstein::EVALUATIONS[0].name, "zweistein");
    let zweistein = Zweistein::<Official>::new();
    let (mut after, mut before, mut last_positions) = (vec![], vec![], vec![]);
    for recorded_game in
        read_games(&Einstein::default(), &fs::read_to_string(&path).unwrap()).unwrap()
    {
        let mut last = 0.0;
        recorded_game.game.replay(|step| {
            let side = step.turn.side();
            let own = |position: &Einstein| {
                let value = zweistein.evaluate(position);
                if position.side() == side { value } else { 1.0 - value }
            };
            let here = own(step.turn.position);
            last = if side == Side::First { here } else { 1.0 - here };
            let mut position = *step.turn.position;
            position.play(step.turn.roll, step.mv);
            after
                .push(position.outcome().map_or_else(|| own(&position), |won| won.value_for(side)));
        });
        before.push(last);
        last_positions.push(recorded_game.game.now().to_string());
    }
    assert_eq!(column(&games, "position"), last_positions);
    for (table, expected) in [(&moves, &after), (&games, &before)] {
        let actual: Vec<f32> =
            column(table, "board").iter().map(|value| value.parse().unwrap()).collect();
        assert_eq!(actual.len(), expected.len());
        for (actual, expected) in actual.iter().zip(expected) {
            assert!((actual - expected).abs() < 1e-5, "{actual} {expected}");
        }
    }
    // The agent's own estimate has another column, which is empty for an agent without one.
    for (agent, estimate) in column(&moves, "agent").iter().zip(column(&moves, "evaluation")) {
        assert_eq!(agent == "random", estimate.is_empty(), "{agent}: {estimate}");
    }
}
