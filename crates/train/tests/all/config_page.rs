//! `docs/training-config.md` names every field of the configuration, with its default value.

use std::collections::BTreeMap;
use std::fs;

use wurfel_train::network::TrainingConfig;

/// A configuration with every table and nothing but what must be there.
const LEAST: &str = r#"
game = "einstein"
encoding = "ewn-v3"
seed = 1
rounds = 1
[keep]
[network]
filters = 16
convolutions = 1
[teacher]
agent = "greedy"
rounds = 1
games = 1
temperature = 0.5
epsilon = 0.5
outcome_share = 0.5
[self_play]
games = 1
parallel_games = 1
simulations = 1
c = 1.0
fpu = 0.5
noise_alpha = 1.0
noise_share = 0.5
temperature = 1.0
temperature_turns = 1
outcome_share = 0.5
[self_play.resign]
below = 0.05
[learning]
buffer = 1
batch = 1
accumulate = 1
steps = 1
learning_rate = 0.5
decay = 0.5
period = 1.0
clip = 1.0
l2 = 0.5
augment = true
[evaluation]
every = 1
pairs = 1
simulations = 1
[evaluation.gate]
"#;

/// What a serialised configuration leaves out where it is off.
const LEFT_OUT: [&str; 5] = [
    "start",
    "network.spatial_policy",
    "network.afterstate_value",
    "learning.held_out",
    "learning.max_replay_ratio",
];

fn collect(path: &str, table: &toml::Table, fields: &mut BTreeMap<String, String>) {
    for (name, value) in table {
        let name = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        match value {
            toml::Value::Table(table) => collect(&name, table, fields),
            value => {
                fields.insert(name, value.to_string());
            }
        }
    }
}

/// The fields of a text, each with its value.
fn fields(text: &str) -> BTreeMap<String, String> {
    let mut fields = BTreeMap::new();
    collect("", &text.parse().unwrap(), &mut fields);
    fields
}

/// The fields of the page, each with its default value; empty where it has none.
fn page() -> BTreeMap<String, String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/training-config.md");
    let text = fs::read_to_string(path).unwrap();
    let (mut section, mut fields) = (String::new(), BTreeMap::new());
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            heading.trim_matches(|character| "`[]".contains(character)).clone_into(&mut section);
            if section == "Top level" {
                section.clear();
            }
        }
        let Some(row) = line.strip_prefix("| `") else { continue };
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[0].trim_end_matches('`');
        let name = if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") };
        fields.insert(name, cells[1].trim_matches('`').to_owned());
    }
    fields
}

#[test]
fn every_field_is_described_with_its_default_value() {
    let given = fields(LEAST);
    let written = toml::to_string(&TrainingConfig::read(LEAST).unwrap()).unwrap();
    let mut known = fields(&written);
    known.extend(LEFT_OUT.map(|name| (name.to_owned(), String::new())));
    let page = page();
    let names = |fields: &BTreeMap<String, String>| fields.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&page), names(&known));
    for (name, default) in &page {
        // What must be there has no default value, and what need not be there has one.
        assert_eq!(default.is_empty(), given.contains_key(name), "{name}");
        if default.is_empty() || LEFT_OUT.contains(&name.as_str()) || default == "none" {
            continue;
        }
        let same = match (default.parse::<f64>(), known[name].parse::<f64>()) {
            (Ok(one), Ok(other)) => (one - other).abs() < 1e-6,
            _ => *default == known[name],
        };
        assert!(same, "{name}: {default}, not {}", known[name]);
    }
}

#[test]
fn what_is_left_out_of_a_written_configuration_is_a_field() {
    for (after, line) in [
        ("rounds = 1", "start = \"x\""),
        ("[network]", "spatial_policy = true"),
        ("[network]", "afterstate_value = true"),
        ("[learning]", "held_out = 0.5"),
        ("[learning]", "max_replay_ratio = 2.0"),
    ] {
        let text = LEAST.replacen(after, &format!("{after}\n{line}"), 1);
        let written = toml::to_string(&TrainingConfig::read(&text).unwrap()).unwrap();
        assert!(written.contains(line), "{written}");
        assert_eq!(TrainingConfig::read(&written).unwrap(), TrainingConfig::read(&text).unwrap());
    }
}
