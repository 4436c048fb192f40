// examples/duel.rs
use std::error::Error;
use std::sync::Arc;

use sprint::{Distance, Nearness, OneTurn, Sprint};
use wurfel_agents::Catalogued;
use wurfel_arena::{Entrant, Match};
use wurfel_games::einstein::Einstein;

fn main() -> Result<(), Box<dyn Error>> {
    let game = Sprint::default();
    let own = Entrant::custom(&game, "one turn", Arc::new(|| Box::new(OneTurn(Distance))));
    play(&game, own, "star2:depth=2,eval=distance")?;
    let game = Einstein::default();
    let own = Entrant::custom(&game, "one turn", Arc::new(|| Box::new(OneTurn(Nearness))));
    play(&game, own, "greedy")
}

/// Plays 100 pairs of games on two threads, with seed 1, and prints the result.
fn play<G: Catalogued>(game: &G, own: Entrant<G>, opponent: &str) -> Result<(), Box<dyn Error>> {
    let entrants = [own, Entrant::new(game, opponent.parse()?)?];
    let report = Match::between(entrants, 100, 1).run(2, None, &mut |_| {})?;
    let summary = report.score.summary();
    let [rate, low, high] =
        [summary.win_rate, summary.interval.low, summary.interval.high].map(|share| 100.0 * share);
    println!(
        "{}: one turn wins {rate:.1} % of {} games against {opponent}, 95 % interval {low:.1} to {high:.1}",
        game.name(),
        report.score.games(),
    );
    Ok(())
}
