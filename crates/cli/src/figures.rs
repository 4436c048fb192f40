//! The figures about an agent that matches and tournaments show in addition to its score: its turns
//! to win, and the statistics of its searches.

use std::io::{self, Write};

use indicatif::{HumanCount, HumanFloatCount};
use wurfel_arena::{
    AdjustedRate, AgentReport, Decimal, FaultReport, PlayedReport, ScoreReport, SearchFigure,
};

/// A figure with three significant digits, or all digits before the point.
fn figure(value: f64) -> String {
    let places = if value.abs() < 10.0 { 100.0 } else { 10.0 };
    // Adding zero makes a plain zero of a negative one, to which small values may be rounded.
    HumanFloatCount((value * places).round() / places + 0.0).to_string()
}

/// The standard error of a win probability in per cent, or a question mark where it is not known.
pub fn shown_error(error: Option<f64>) -> String {
    error.map_or_else(|| "?".to_owned(), |error| format!("{:.2}", 100.0 * error))
}

/// The turns to win and the searches of an agent in words.
pub fn agent_words(agent: &AgentReport) -> String {
    let won = match (agent.turns_to_win, agent.plies_to_win) {
        (Some(turns), Some(plies)) => format!("won after {turns:.1} own turns, {plies:.1} plies"),
        _ => "won no game".to_owned(),
    };
    let shown = agent.statistics.iter().filter_map(|(name, SearchFigure { mean, max })| {
        Some(format!("; {name} {}, {} at most", figure((*mean)?), figure(*max)))
    });
    won + &shown.collect::<String>()
}

/// The games that an agent lost by a crash, an illegal move, and time, in words, with the reason of
/// the first of them; `None` when there are none.
pub fn faults(faults: FaultReport, reason: Option<&str>) -> Option<String> {
    let FaultReport { crashes, illegal_moves, time_losses } = faults;
    let games = crashes + illegal_moves + time_losses;
    let plural = if games == 1 { "" } else { "s" };
    let because = reason.map_or(String::new(), |reason| format!("; the first because {reason}"));
    let lost = format!(
        "{games} game{plural} by crash {crashes}, illegal move {illegal_moves}, time {time_losses}{because}"
    );
    (games > 0).then_some(lost)
}

/// Writes the win rates of a report: over all games, over those that no fault decided if a fault
/// decided some, and with the luck of the dice taken off.
pub fn write_rates(score: &ScoreReport, out: &mut dyn Write) -> io::Result<()> {
    let rate = |rate: f64, [low, high]: [f64; 2]| {
        let [rate, low, high] = [rate, low, high].map(|rate| Decimal(100.0 * rate));
        format!("{rate:.2} %, 95 % interval {low:.2} to {high:.2}")
    };
    writeln!(out, "win rate         {}", rate(score.win_rate, score.interval))?;
    if let Some(PlayedReport { games, win_rate, interval }) = score.played {
        let (rate, games) = (rate(win_rate, interval), HumanCount(games));
        writeln!(out, "games played     {rate}, in {games} games that no fault decided")?;
    }
    if let Some(warning) = &score.warning {
        writeln!(out, "warning          {warning}")?;
    }
    if let Some(AdjustedRate { win_rate, interval, .. }) = score.luck_adjusted {
        writeln!(out, "luck-adjusted    {}", rate(win_rate, interval))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_counted_by_kind_and_explained() {
        assert_eq!(faults([0; 3].into(), None), None);
        assert_eq!(
            faults([39, 1, 0].into(), Some("it ended")).unwrap(),
            "40 games by crash 39, illegal move 1, time 0; the first because it ended"
        );
        assert_eq!(
            faults([0, 0, 1].into(), None).unwrap(),
            "1 game by crash 0, illegal move 0, time 1"
        );
    }

    #[test]
    fn figures_have_three_digits() {
        for (value, text) in
            [(0.4712, "0.47"), (12.345, "12.3"), (45210.0, "45,210"), (3.0, "3"), (-0.001, "0")]
        {
            assert_eq!(figure(value), text);
        }
    }
}
