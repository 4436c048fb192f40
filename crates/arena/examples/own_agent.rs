//! A match with an agent that is not part of wurfel.
//!
//! ```text
//! cargo run --release -p wurfel-arena --example own_agent
//! ```
//!
//! An agent only has to choose one of the legal moves of a turn. This one is written for any game:
//! it plays ten random games after each move, and chooses the move with the most wins.

#![allow(clippy::print_stdout, reason = "the example shows its results in the terminal")]

use std::error::Error;
use std::sync::Arc;

use wurfel_arena::{Entrant, Match, Summary};
use wurfel_core::{Agent, Budget, Decision, Game, Random, Turn};
use wurfel_games::einstein::Einstein;

struct TenTrials {
    random: Random,
}

impl<G: Game> Agent<G> for TenTrials {
    /// All random numbers come from here, so that a match can be repeated.
    fn begin(&mut self, random: Random) {
        self.random = random;
    }

    fn decide(&mut self, turn: Turn<'_, G>, _: Budget<'_>) -> Decision<G::Move> {
        let moves = turn.moves();
        let wins = |mv: &G::Move| {
            let mut next = turn.position.clone();
            let rest = next.play(turn.roll, *mv);
            next.random_games(rest, 10, &mut self.random).wins[turn.side()]
        };
        let best = moves.as_ref().iter().copied().max_by_key(wins);
        let mv = best.expect("no turn is without a move");
        Decision { mv, value: None, exact: false, nodes: 1, depth: 1 }
    }
}

/// The result of this agent against the random one.
fn try_out(pairs: u64) -> Result<Summary, Box<dyn Error>> {
    let entrants = [
        Entrant::custom(
            &Einstein::default(),
            "ten trials",
            Arc::new(|| Box::new(TenTrials { random: Random::new(0) })),
        ),
        Entrant::new(&Einstein::default(), "random".parse()?)?,
    ];
    let report = Match::<Einstein>::between(entrants, pairs, 1).run(2, None, &mut |_| {})?;
    Ok(report.score.summary())
}

fn main() -> Result<(), Box<dyn Error>> {
    let Summary { win_rate, interval, .. } = try_out(200)?;
    let [rate, low, high] = [win_rate, interval.low, interval.high].map(|share| 100.0 * share);
    println!("It wins {rate:.1} % of its games (95 % interval {low:.1} to {high:.1})");
    Ok(())
}

#[test]
fn trials_are_better_than_chance() {
    let summary = try_out(200).expect("the spec is an agent");
    assert!(summary.interval.low > 0.5, "{summary:?}");
    main().expect("the example runs");
}
