//! The differences between two descriptions: that of a file and that of a program that is about to
//! continue the file. Both are compared as JSON, so that anything added to them later is compared,
//! too.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// A place where two descriptions differ. Displays as `rounds: 3 there, 5 here`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Difference {
    /// The place, as in `participant[2].agent`.
    pub place: String,
    /// The value in the file; [`Value::Null`] where the file has none.
    pub there: Value,
    /// The value now; [`Value::Null`] where there is none.
    pub here: Value,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let say = |value: &Value| match value {
            Value::Null => "nothing".to_owned(),
            value => value.to_string(),
        };
        let Self { place, there, here } = self;
        match (there, here) {
            (Value::Array(there), Value::Array(here)) => {
                write!(f, "{place}: {} of them there, {} here", there.len(), here.len())
            }
            _ => write!(f, "{place}: {} there, {} here", say(there), say(here)),
        }
    }
}

/// The places where two descriptions differ: first the places that exist in the file, in their
/// order, then those that exist only now. Lists of different lengths count as one place.
pub(crate) fn differences(there: &impl Serialize, here: &impl Serialize) -> Vec<Difference> {
    let there = serde_json::to_value(there).unwrap_or_default();
    let here = serde_json::to_value(here).unwrap_or_default();
    let mut differences = vec![];
    compare("", &there, &here, &mut differences);
    differences
}

fn compare(place: &str, there: &Value, here: &Value, differences: &mut Vec<Difference>) {
    let below =
        |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
    match (there, here) {
        (Value::Object(old), Value::Object(new)) => {
            for key in old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))) {
                let [old, new] = [old, new].map(|table| table.get(key).unwrap_or(&Value::Null));
                compare(&below(key), old, new, differences);
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (n, (old, new)) in old.iter().zip(new).enumerate() {
                compare(&format!("{place}[{}]", n + 1), old, new, differences);
            }
        }
        _ if there == here => {}
        _ => differences.push(Difference {
            place: place.to_owned(),
            there: there.clone(),
            here: here.clone(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(there: &Value, here: &Value) -> Vec<String> {
        differences(there, here).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_difference_is_named_by_its_place() {
        let there = serde_json::json!({
            "pairs": 5, "participant": [{"agent": "greedy"}, {"agent": "random"}], "rounds": 3,
        });
        let here = serde_json::json!({
            "pairs": 6, "participant": [{"agent": "greedy"}, {"agent": "uct"}], "seed": 2,
        });
        assert_eq!(
            messages(&there, &here),
            [
                "pairs: 5 there, 6 here",
                "participant[2].agent: \"random\" there, \"uct\" here",
                "rounds: 3 there, nothing here",
                "seed: nothing there, 2 here",
            ]
        );
        assert_eq!(messages(&there, &there), [""; 0]);
        let three = serde_json::json!({"participant": [1, 2, 3]});
        let two = serde_json::json!({"participant": [1, 2]});
        assert_eq!(messages(&three, &two), ["participant: 3 of them there, 2 here"]);
    }
}
