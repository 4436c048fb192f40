//! The directory of `wurfel train network`, read as columns of numbers.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::lines::Lines;
use super::{MAX_BYTES, games, place};

/// The file with one line for each finished round.
pub(super) const METRICS: &str = "metrics.jsonl";
/// The file with the training's configuration.
const CONFIG: &str = "config.toml";
/// How many rounds of a longer run are reported, evenly spread; the last round is always one of
/// them.
const MAX_ROUNDS: usize = 500;
/// How many further rounds are reported because the strength was measured after them.
const MAX_MEASURED: usize = 500;
/// How many matches in the directory are reported.
const MAX_MATCHES: usize = 100;

/// A network in training, or one whose training is over.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Training {
    /// The game, which is the rule set, if the directory has its configuration.
    game: Option<String>,
    /// Rounds that are done.
    done: u64,
    /// The number of rounds in the configuration.
    wanted: Option<u64>,
    /// The metrics of the rounds, by the names in the file; `None` where a round does not have one.
    columns: BTreeMap<String, Vec<Option<f64>>>,
    /// The matches in the directory, by file name; they show how strong the network was.
    matches: Vec<Strength>,
}

/// A match that was played with a network of the run.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Strength {
    name: String,
    #[serde(flatten)]
    standing: games::MatchScore,
}

#[derive(Deserialize)]
struct Config {
    game: String,
    rounds: u64,
}

impl Training {
    /// Reads a directory; `None` when it is not that of a run.
    pub fn read(directory: &Path) -> io::Result<Option<Self>> {
        let path = directory.join(METRICS);
        if std::fs::metadata(&path)?.len() > MAX_BYTES {
            return Ok(None);
        }
        let Some(columns) = columns(|| Lines::open(&path))? else { return Ok(None) };
        let config = std::fs::read_to_string(directory.join(CONFIG)).unwrap_or_default();
        let (game, wanted) = match toml::from_str::<Config>(&config) {
            Ok(Config { game, rounds }) => (Some(game), Some(rounds)),
            Err(_) => (None, None),
        };
        let rounds = columns.get("round").and_then(|rounds| *rounds.last()?);
        let done = rounds.unwrap_or_default() as u64;
        Ok(Some(Self { game, done, wanted, columns, matches: matches(directory)? }))
    }
}

/// The numbers in lines of JSON, by their names; `None` when the lines do not belong to a run. The
/// last line may be half written. The lines are read twice, so that only few are in memory, however
/// many there are.
fn columns<R: BufRead>(
    open: impl Fn() -> io::Result<Lines<R>>,
) -> io::Result<Option<BTreeMap<String, Vec<Option<f64>>>>> {
    let mut all = open()?;
    let mut count = 0;
    while all.read::<Map<String, Value>>()?.is_some() {
        count += 1;
    }
    let (every, mut measured) = (usize::div_ceil(count, MAX_ROUNDS), 0);
    let (mut all, mut lines) = (open()?, vec![]);
    for after in (0..count).rev() {
        let Some(line) = all.read::<Map<String, Value>>()? else { break };
        if after.is_multiple_of(every) {
            lines.push(line);
        } else if line.contains_key(EVALUATION) && measured < MAX_MEASURED {
            // Such rounds are rare.
            measured += 1;
            lines.push(line);
        }
    }
    if lines.first().is_none_or(|first| !first.contains_key("round")) {
        return Ok(None);
    }
    for line in &mut lines {
        let evaluation = line.remove(EVALUATION).unwrap_or_default();
        line.extend(win_rates(&evaluation));
    }
    let shown = &lines;
    let number = |value: &Value| value.as_f64().filter(|number| number.is_finite());
    let mut columns = BTreeMap::new();
    for (name, _) in shown.iter().flat_map(|line| line.iter()) {
        if columns.contains_key(name) {
            continue;
        }
        let column: Vec<_> = shown.iter().map(|line| line.get(name).and_then(number)).collect();
        if column.iter().any(Option::is_some) {
            columns.insert(name.clone(), column);
        }
    }
    Ok(Some(columns))
}

/// The field of a round's line that holds the network's strength.
const EVALUATION: &str = "evaluation";

/// The win rates of an evaluation, each under `against` and the name of the opponent.
fn win_rates(evaluation: &Value) -> Vec<(String, Value)> {
    let best = evaluation.get("against_best").into_iter();
    let opponents = evaluation.get("opponents").and_then(Value::as_array);
    let rate =
        |name: &str, won: &Value| Some((format!("against {name}"), won.get("win_rate")?.clone()));
    let named = |won: &Value| rate(won.get("opponent")?.as_str()?, won);
    best.filter_map(|won| rate("the best before", won))
        .chain(opponents.into_iter().flatten().filter_map(named))
        .collect()
}

fn matches(directory: &Path) -> io::Result<Vec<Strength>> {
    let mut matches = vec![];
    let mut names: Vec<_> = super::files(directory)?;
    names.retain(|name| name != METRICS);
    for name in names {
        let path = place(directory, &name);
        if std::fs::metadata(&path)?.len() > MAX_BYTES {
            continue;
        }
        // A run has a file of positions for every round; only the first line of each is read.
        let read = games::read(Lines::open(&path)?)?;
        matches.extend(read.map(|(standing, _)| Strength { name, standing }));
        if matches.len() >= MAX_MATCHES {
            break;
        }
    }
    Ok(matches)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(text: &str) -> Option<BTreeMap<String, Vec<Option<f64>>>> {
        super::columns(|| Ok(Lines::new(text.as_bytes()))).unwrap()
    }

    #[test]
    fn numbers_become_columns_and_a_half_written_line_does_no_harm() {
        let text = "{\"round\":1,\"rate\":0.5,\"taught\":true}\n{\"round\":2,\"rate\":0.25,\"elo\":3}\n{\"rou";
        let columns = columns(text).unwrap();
        let names: Vec<_> = columns.keys().map(String::as_str).collect();
        assert_eq!(names, ["elo", "rate", "round"]);
        assert_eq!(columns["rate"], [Some(0.5), Some(0.25)]);
        assert_eq!(columns["elo"], [None, Some(3.0)]);
        assert_eq!(self::columns("{\"pair\":1}\n"), None);
        assert_eq!(self::columns(""), None);
    }

    #[test]
    fn win_rates_have_a_column_for_each_opponent() {
        let won = |name: &str, rate: f64| serde_json::json!({"opponent": name, "win_rate": rate});
        let evaluation = serde_json::json!({
            "against_best": won("round 3", 0.5),
            "opponents": [won("greedy", 0.75), {"opponent": "random"}],
        });
        let text = format!("{{\"round\":1}}\n{{\"round\":2,\"evaluation\":{evaluation}}}\n");
        let columns = columns(&text).unwrap();
        let names: Vec<_> = columns.keys().map(String::as_str).collect();
        assert_eq!(names, ["against greedy", "against the best before", "round"]);
        assert_eq!(columns["against greedy"], [None, Some(0.75)]);
    }

    #[test]
    fn a_long_run_is_thinned_out_and_ends_with_its_last_round() {
        let mut lines: Vec<_> = (1..=1801).map(|round| format!("{{\"round\":{round}}}")).collect();
        let rounds = &columns(&lines.join("\n")).unwrap()["round"];
        assert!(rounds.len() <= MAX_ROUNDS && rounds.len() > MAX_ROUNDS / 2);
        assert_eq!(rounds.last(), Some(&Some(1801.0)));
        lines[6] = "{\"round\":7,\"evaluation\":{\"against_best\":{\"win_rate\":1}}}".into();
        let columns = columns(&lines.join("\n")).unwrap();
        assert!(columns["against the best before"].contains(&Some(1.0)));
    }
}
