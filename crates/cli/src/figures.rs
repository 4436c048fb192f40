//! The figures about an agent that matches and tournaments show in addition to its score: its turns
//! to win, and the statistics of its searches.

use indicatif::HumanFloatCount;
use serde_json::{Map, Value, json};
use wurfel_arena::{Searches, Wins};

/// A figure with three significant digits, or all digits before the point.
fn figure(value: f64) -> String {
    let places = if value.abs() < 10.0 { 100.0 } else { 10.0 };
    // Zero is added because what is rounded to nothing may be a negative zero.
    HumanFloatCount((value * places).round() / places + 0.0).to_string()
}

/// The turns to win and the searches of an agent in words.
pub fn words(wins: &Wins, searches: &Searches) -> String {
    let won = match (wins.mean_turns(), wins.mean_plies()) {
        (Some(turns), Some(plies)) => format!("won after {turns:.1} own turns, {plies:.1} plies"),
        _ => "won no game".to_owned(),
    };
    let told = searches.iter().filter_map(|(name, tally)| {
        Some(format!("; {name} {}, {} at most", figure(tally.mean()?), figure(tally.max)))
    });
    won + &told.collect::<String>()
}

/// Adds the same figures to an object in JSON.
pub fn insert(agent: &mut Value, wins: &Wins, searches: &Searches) {
    agent["turns_to_win"] = json!(wins.mean_turns());
    agent["plies_to_win"] = json!(wins.mean_plies());
    let told = searches
        .iter()
        .map(|(name, tally)| (name.to_owned(), json!({"mean": tally.mean(), "max": tally.max})));
    agent["statistics"] = Value::Object(told.collect::<Map<_, _>>());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits() {
        for (value, text) in
            [(0.4712, "0.47"), (12.345, "12.3"), (45210.0, "45,210"), (3.0, "3"), (-0.001, "0")]
        {
            assert_eq!(figure(value), text);
        }
    }
}
