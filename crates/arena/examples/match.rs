//! Which of two agents is the stronger one, with the uncertainty of the answer.
//!
//! ```text
//! cargo run --release -p wurfel-arena --example match
//! ```
//!
//! The agents are named by specs, as on the command line; `wurfel agents` lists them. The games
//! are mirrored pairs: both games of a pair have the same set-ups and dice, with the sides
//! exchanged. The same seed gives the same games on any number of threads.

#![allow(clippy::print_stdout, reason = "the example shows its results in the terminal")]

use std::error::Error;

use wurfel_arena::{Match, Summary};
use wurfel_games::einstein::Einstein;

/// The result of the first agent.
fn compare(specs: [&str; 2], pairs: u64) -> Result<Summary, Box<dyn Error>> {
    let [first, second] = specs;
    let contest = Match::new(&Einstein::default(), [first.parse()?, second.parse()?], pairs, 1)?;
    // Two threads, no file of games, and nothing to do while the match goes on.
    let report = contest.run(2, None, &mut |_| {})?;
    Ok(report.score.summary())
}

fn main() -> Result<(), Box<dyn Error>> {
    let specs = ["expecti:depth=2", "greedy"];
    let summary = compare(specs, 200)?;
    println!("{} wins {:.1} % against {}", specs[0], 100.0 * summary.win_rate, specs[1]);
    let interval = summary.interval;
    println!("95 % interval: {:.1} to {:.1} %", 100.0 * interval.low, 100.0 * interval.high);
    Ok(())
}

#[test]
fn a_search_beats_an_agent_without_one() {
    let summary = compare(["expecti:depth=2", "greedy"], 200).expect("both specs are agents");
    assert!(summary.interval.low > 0.5, "{summary:?}");
    main().expect("the example runs");
}
