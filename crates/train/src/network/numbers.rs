//! All numbers of a round as a list, and all rounds as a table.

use std::collections::{HashMap, HashSet};
use std::iter;

use serde_json::Value;

use super::metrics::Round;

/// All numbers of a round, each with its name: that of the entry in `metrics.jsonl`, with `round/`
/// before it unless the entry is an object itself. Yes counts as 1 and no as 0.
pub fn numbers(round: &Round) -> Vec<(String, f64)> {
    let mut numbers = vec![];
    // Goes through the JSON text, so that 32-bit numbers are written as briefly as in the file.
    let text = serde_json::to_string(round).unwrap_or_default();
    if let Ok(Value::Object(entries)) = serde_json::from_str(&text) {
        for (name, value) in &entries {
            let tag = if value.is_object() { name.clone() } else { format!("round/{name}") };
            collect(tag, value, &mut numbers);
        }
    }
    numbers
}

/// Collects all numbers in a value, each under its name. Elements of a list are named by their
/// opponent or their number of pieces.
fn collect(tag: String, value: &Value, numbers: &mut Vec<(String, f64)>) {
    match value {
        Value::Number(number) => numbers.push((tag, number.as_f64().unwrap_or_default())),
        Value::Bool(is) => numbers.push((tag, f64::from(u8::from(*is)))),
        Value::Object(entries) => {
            for (name, value) in entries {
                collect(format!("{tag}/{name}"), value, numbers);
            }
        }
        Value::Array(items) => {
            for item in items {
                let name = match (&item["opponent"], &item["pieces"]) {
                    (Value::String(opponent), _) => opponent.clone(),
                    (_, pieces) => pieces.to_string(),
                };
                collect(format!("{tag}/{name}"), item, numbers);
            }
        }
        _ => {}
    }
}

/// All numbers of all rounds as CSV: a line for each round, a column for each number that any round
/// has, and a column with the seconds that the run has worked.
pub fn table(history: &[Round]) -> String {
    let rows: Vec<Vec<(String, f64)>> = history.iter().map(numbers).collect();
    let mut columns: Vec<&str> = vec![];
    let mut known = HashSet::new();
    for (name, _) in rows.iter().flatten() {
        if known.insert(name) {
            columns.push(name);
        }
    }
    let mut writer = csv::Writer::from_writer(vec![]);
    let mut write = |record: Vec<String>| {
        writer.write_record(record).expect("memory takes every record of one length");
    };
    let names = columns.iter().map(ToString::to_string);
    write(iter::once("elapsed_seconds".to_owned()).chain(names).collect());
    let mut seconds = 0.0;
    for (round, row) in history.iter().zip(&rows) {
        seconds += round.seconds();
        let row: HashMap<&str, f64> = row.iter().map(|(name, x)| (name.as_str(), *x)).collect();
        let cell = |name| row.get(name).map_or_else(String::new, ToString::to_string);
        write(iter::once(seconds.to_string()).chain(columns.iter().map(cell)).collect());
    }
    let bytes = writer.into_inner().expect("memory takes everything");
    String::from_utf8(bytes).expect("names and numbers are text")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{ExactError, NetworkMatch, Strength};
    use wurfel_arena::Interval;

    #[test]
    fn every_number_of_every_round_has_its_place() {
        let interval = Interval { low: 0.5, high: 1.0 };
        let won = NetworkMatch::sample("expecti:depth=3,eval=schwarz", interval);
        let exact = vec![ExactError { pieces: 3, positions: 10, mean: 0.125, rms: 0.25 }];
        let strength =
            Strength { opponents: vec![won], passed: Some(true), exact, ..Strength::default() };
        let plain = Round { round: 1, game_seconds: 2.0, step_seconds: 1.5, ..Round::default() };
        let measured = Round { round: 2, evaluation: Some(strength), ..plain.clone() };
        let text = table(&[plain, measured]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(
            lines[0].contains(",\"evaluation/opponents/expecti:depth=3,eval=schwarz/win_rate\",")
        );
        assert!(lines[0].contains(",evaluation/exact/3/rms,"), "{text}");
        assert!(lines[1].starts_with("3.5,") && lines[2].starts_with("7,"), "{text}");
        // Commas inside names are in quotes, so that all lines have the same number of fields.
        let names = lines[0].matches(',').count() - lines[0].matches(",eval=").count();
        assert_eq!([lines[1], lines[2]].map(|line| line.matches(',').count()), [names; 2]);
        assert_eq!(lines[2].matches(",0.75").count(), 1);
        assert!(lines[0].contains("evaluation/passed") && lines[0].contains("round/finished"));
        // Numbers that the first round does not have are left empty.
        assert!(lines[1].ends_with(",,,"), "{text}");
        assert!(lines[2].split(',').all(|field| field.parse::<f64>().is_ok()), "{text}");
    }
}
