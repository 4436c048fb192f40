//! A match on a game of one's own: the search that comes with wurfel against an agent of one's own.

use std::sync::Arc;

use own_game::{Hurry, Sprint};
use wurfel_arena::{Entrant, Match};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let entrants = [
        Entrant::new("star2:depth=3".parse()?)?,
        Entrant::made("hurry", Arc::new(|| Box::new(Hurry))),
    ];
    let report = Match::<Sprint>::between(entrants, 500, 1).run(2, None, &mut |_| {})?;
    let summary = report.score.summary();
    println!(
        "star2:depth=3 wins {:.1} % of {} games against hurry, 95 % interval {:.1} to {:.1}",
        100.0 * summary.win_rate,
        report.score.games(),
        100.0 * summary.interval.low,
        100.0 * summary.interval.high
    );
    Ok(())
}
