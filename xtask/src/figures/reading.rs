//! How a figure is found in the output of a program.

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::divan;

/// The place of the figure.
#[derive(Clone, Copy, Debug)]
pub enum Reading {
    /// In divan's table: the items per second of the benchmark at this path.
    Items(&'static str),
    /// In divan's table: the time of the benchmark at this path.
    Time(&'static str),
    /// In a line of JSON.
    Json(Json),
    /// In the table of the example `compare`: the number after these words.
    Compared(&'static str),
    /// In the line that begins with this word: the number after it.
    Line(&'static str),
}

/// A field of an object of JSON.
#[derive(Clone, Copy, Debug)]
pub struct Json {
    /// The field of the line whose list contains the object; if empty, the line itself is the
    /// object.
    pub within: &'static str,
    /// The fields and values that the object must have; the first such object counts.
    pub having: &'static [(&'static str, &'static str)],
    pub field: &'static str,
    pub meaning: Meaning,
}

#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    PerSecond,
    Seconds,
    Milliseconds,
    Nanoseconds,
    /// This many in the number of seconds that this field holds.
    In(&'static str),
}

/// The amount that was read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Amount {
    /// This many per second.
    Rate(f64),
    /// This many seconds each.
    Time(f64),
}

impl Reading {
    /// The figure in `output`; nothing if a peer reports that it is not installed.
    pub fn read(self, output: &str) -> Result<Option<Amount>> {
        let amount = match self {
            Reading::Items(path) => {
                let benchmark = divan::benchmark(output, path)?;
                Amount::Rate(benchmark.items.with_context(|| format!("'{path}' has no items"))?)
            }
            Reading::Time(path) => Amount::Time(divan::benchmark(output, path)?.seconds),
            Reading::Json(json) => json.read(output)?,
            Reading::Compared(words) => return compared(output, words),
            Reading::Line(word) => {
                let mut lines = output.lines().filter_map(|line| line.split_once(' '));
                let (_, rate) = lines
                    .find(|(first, _)| *first == word)
                    .with_context(|| format!("no line '{word} NUMBER' in the output"))?;
                Amount::Rate(number(rate)?)
            }
        };
        Ok(Some(amount))
    }
}

impl Json {
    fn read(self, output: &str) -> Result<Amount> {
        let lines = output.lines().filter(|line| line.starts_with('{'));
        for line in lines {
            let line: Value = serde_json::from_str(line).context("a line of JSON")?;
            let objects = match self.within {
                "" => vec![&line],
                list => line.get(list).and_then(Value::as_array).into_iter().flatten().collect(),
            };
            let has = |object: &Value| {
                self.having.iter().all(|&(field, value)| object[field].as_str() == Some(value))
            };
            if let Some(object) = objects.into_iter().find(|object| has(object)) {
                return self.meaning.of(object, self.field);
            }
        }
        bail!("no object of JSON that has {:?}", self.having)
    }
}

impl Meaning {
    fn of(self, object: &Value, field: &str) -> Result<Amount> {
        let get = |field: &str| {
            let value = object[field].as_f64().filter(|value| *value > 0.0);
            value.with_context(|| format!("'{field}' is {}, not a number above 0", object[field]))
        };
        let value = get(field)?;
        Ok(match self {
            Meaning::PerSecond => Amount::Rate(value),
            Meaning::Seconds => Amount::Time(value),
            Meaning::Milliseconds => Amount::Time(value * 1e-3),
            Meaning::Nanoseconds => Amount::Time(value * 1e-9),
            Meaning::In(seconds) => Amount::Rate(value / get(seconds)?),
        })
    }
}

/// The number after the words, in the line that begins with the first of them and has the others in
/// this order. Nothing where it is not a number, which is how `compare` reports that a peer is not
/// installed.
fn compared(output: &str, words: &str) -> Result<Option<Amount>> {
    for line in output.lines() {
        let mut line = line.split_whitespace().map(|word| word.trim_end_matches([',', ':']));
        let mut words = words.split(' ');
        if line.next() == words.next() && words.all(|word| line.any(|other| other == word)) {
            return match line.next() {
                Some("NaN") => Ok(None),
                rate => Ok(Some(Amount::Rate(number(rate.unwrap_or_default())?))),
            };
        }
    }
    bail!("no line with '{words} NUMBER' in the output")
}

fn number(text: &str) -> Result<f64> {
    let value: f64 = text.trim().parse().with_context(|| format!("'{text}' is no number"))?;
    ensure!(value.is_finite() && value > 0.0, "expected a number above 0, not '{text}'");
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(reading: Reading, output: &str) -> String {
        match reading.read(output) {
            Ok(Some(Amount::Rate(rate))) => format!("{rate:.1} a second"),
            Ok(Some(Amount::Time(time))) => format!("{:.1} ns", time * 1e9),
            Ok(None) => "not at hand".into(),
            Err(error) => format!("{error:#}"),
        }
    }

    const fn json(
        within: &'static str,
        having: &'static [(&'static str, &'static str)],
        field: &'static str,
        meaning: Meaning,
    ) -> Reading {
        Reading::Json(Json { within, having, field, meaning })
    }

    #[test]
    fn wurfel_bench_has_a_line_for_each_search() {
        let output = r#"{"game":"einstein","agent":"expecti:depth=6","nodes":6870727,"seconds":0.760845089,"repetitions":2,"nodes_per_second":9030388.8,"signature":"05e92de425255209"}
{"game":"einstein","agent":"star2:depth=8","nodes":34063363,"seconds":2.156116321,"repetitions":1,"nodes_per_second":15798481.1,"signature":"649055b870eb3b34"}
"#;
        let search =
            |having| read(json("", having, "nodes_per_second", Meaning::PerSecond), output);
        assert_eq!(
            search(&[("game", "einstein"), ("agent", "star2:depth=8")]),
            "15798481.1 a second"
        );
        assert_eq!(
            search(&[("game", "dicechess"), ("agent", "star2:depth=8")]),
            r#"no object of JSON that has [("game", "dicechess"), ("agent", "star2:depth=8")]"#
        );
    }

    #[test]
    fn evaluations_stand_in_a_list() {
        let output = r#"{"evaluations":[{"evaluation":"linear","fastest":29.3,"ns":56.3,"slowest":218.9},{"evaluation":"learned","fastest":1432.0,"ns":2853.1,"slowest":18372.2}],"game":"dicechess3","positions":2000,"repetitions":15,"seed":1}"#;
        let reading = |name| json("evaluations", name, "fastest", Meaning::Nanoseconds);
        assert_eq!(read(reading(&[("evaluation", "learned")]), output), "1432.0 ns");
        assert!(read(reading(&[("evaluation", "mlp")]), output).starts_with("no object of JSON"));
    }

    #[test]
    fn a_match_says_how_many_games_a_second_and_how_long_a_move_took() {
        let output = r#"{"agents":[{"agent":"cmd:\"wurfel engine random\"","mean_ms":0.029,"max_ms":1.2},{"agent":"random","mean_ms":0.0002}],"complete":true,"games_per_second":13305.2,"seconds":0.07}"#;
        let games = json("", &[], "games_per_second", Meaning::PerSecond);
        assert_eq!(read(games, output), "13305.2 a second");
        let mv = json("agents", &[], "mean_ms", Meaning::Milliseconds);
        assert_eq!(read(mv, output), "29000.0 ns");
        let fault = output.replace("13305.2", "null");
        assert_eq!(read(games, &fault), "'games_per_second' is null, not a number above 0");
        assert_eq!(read(games, "won 3, lost 4\n"), "no object of JSON that has []");
        assert!(read(games, "{\"games_per_second\":").starts_with("a line of JSON: EOF"));
    }

    #[test]
    fn an_analysis_has_nodes_in_seconds() {
        let output = r#"{"position":"ABC2/DE3/F3f/3ed/2cba r 4 1","nodes":1000000,"depth":13,"seconds":0.5}"#;
        assert_eq!(
            read(json("", &[], "nodes", Meaning::In("seconds")), output),
            "2000000.0 a second"
        );
        assert_eq!(read(json("", &[], "seconds", Meaning::Seconds), output), "500000000.0 ns");
        assert_eq!(
            read(json("", &[], "playouts", Meaning::In("seconds")), output),
            "'playouts' is null, not a number above 0"
        );
    }

    #[test]
    fn compare_says_what_is_not_installed() {
        let output = "
paper: positions a second, batch by batch; multiples are of onnxruntime
   1 PyTorch f32 NaN
   1 onnxruntime f32 6455, int8 8000 (1.24 ×)
   1 f32 avx512 7998 (1.24 ×)
  64 onnxruntime f32 6864, int8 9100 (1.33 ×)
  64 f32 avx2 10108 (1.47 ×)
  64 int8 avx512-vnni 7392 (1.08 ×, of its int8 0.81 ×)
learning: PyTorch NaN   portable 1582 (NaN ×)   avx512 5016 (NaN ×)
";
        let value = |words| read(Reading::Compared(words), output);
        assert_eq!(value("1 PyTorch f32"), "not at hand");
        assert_eq!(value("1 onnxruntime f32"), "6455.0 a second");
        assert_eq!(value("64 onnxruntime f32"), "6864.0 a second");
        assert_eq!(value("64 onnxruntime int8"), "9100.0 a second");
        assert_eq!(value("64 f32 avx2"), "10108.0 a second");
        assert_eq!(value("64 int8 avx512-vnni"), "7392.0 a second");
        assert_eq!(value("learning PyTorch"), "not at hand");
        assert_eq!(value("learning avx512"), "5016.0 a second");
        assert_eq!(value("8 f32 avx2"), "no line with '8 f32 avx2 NUMBER' in the output");
    }

    #[test]
    fn a_line_is_a_word_and_a_number() {
        let value = |output| read(Reading::Line("uct"), output);
        assert_eq!(value("random-games 164000.5\nuct 128323.28\n"), "128323.3 a second");
        assert_eq!(value("uct quick\n"), "'quick' is no number: invalid float literal");
        assert_eq!(value("uct 0\n"), "expected a number above 0, not '0'");
        assert_eq!(value("random-games 3\n"), "no line 'uct NUMBER' in the output");
    }
}
