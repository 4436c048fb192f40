//! Compares the types of the Python package with the reports that it shows.
//!
//! A class there has its own choice of a report's fields, but each under the name and with the type
//! that it has everywhere. What a class adds is listed here.

use anyhow::{Context, Result};
use serde_json::{Map, Value};

use super::{Schemas, fields};

/// A class, the schemas that have its properties, and the properties of its own.
type Class = (&'static str, &'static [&'static str], &'static [&'static str]);

// What is played here has always taken a known time; elsewhere `seconds` may be null.
const CLASSES: [Class; 10] = [
    ("MoveValue", &["Scored"], &[]),
    ("TurnValue", &["ScoredTurn"], &[]),
    ("RollValue", &["ScoredRoll"], &["probability"]),
    ("Analysis", &["PositionReport"], &["best"]),
    ("Solution", &["SolutionReport"], &["moves", "best"]),
    ("MatchResult", &["MatchReport", "AgentReport"], &["played_rate", "seconds"]),
    ("Standing", &["StandingReport"], &[]),
    ("TournamentResult", &["TournamentReport"], &[]),
    ("RegretResult", &["RegretReport"], &["seconds"]),
    // The last value is called `final` elsewhere, which Python keeps for itself.
    ("GameReview", &["ReviewReport", "ReviewedPlayer"], &["last", "outcome"]),
];

/// The differences between the stubs and the schemas.
pub fn differences(stubs: &str, schemas: &Schemas) -> Result<Vec<String>> {
    let mut wrong = vec![];
    for (class, reports, own) in CLASSES {
        let body = stubs.split_once(&format!("\nclass {class}:\n"));
        let (_, body) = body.with_context(|| format!("there is no class {class}"))?;
        let body = body.split("\n\n@final").next().unwrap_or(body);
        let mut known = vec![];
        for report in reports {
            let schema = schemas.get(*report).and_then(Value::as_object);
            add(&mut known, schema.with_context(|| format!("no type has the schema '{report}'"))?);
        }
        for property in body.split("@property\n    def ").skip(1) {
            let line = property.lines().next().unwrap_or_default();
            let (name, kind) = line.split_once("(self) -> ").context(line.to_owned())?;
            let kind = kind.trim_end_matches(": ...");
            if own.contains(&name) {
                continue;
            }
            match known.iter().find(|(field, ..)| field == name) {
                None => {
                    wrong.push(format!("{class}.{name} is no field of {}", reports.join(" or ")));
                }
                Some((_, schema, always)) => {
                    let (here, there) = (scalar(kind), derived(schema, *always));
                    if let (Some(here), Some(there)) = (here, there)
                        && here != there
                    {
                        wrong.push(format!(
                            "{class}.{name} is {kind}: expected {}",
                            there.join(" | ")
                        ));
                    }
                }
            }
        }
    }
    Ok(wrong)
}

/// The fields of an object, those of its variants included.
fn add<'a>(known: &mut Vec<(String, &'a Value, bool)>, object: &'a Map<String, Value>) {
    known.extend(fields(object));
    let variants = object.get("oneOf").and_then(Value::as_array).into_iter().flatten();
    variants.filter_map(Value::as_object).for_each(|variant| add(known, variant));
}

const SCALARS: [(&str, &str); 5] = [
    ("string", "str"),
    ("integer", "int"),
    ("number", "float"),
    ("boolean", "bool"),
    ("null", "None"),
];

/// A type of Python as its alternatives, if they are all scalars.
fn scalar(kind: &str) -> Option<Vec<&str>> {
    let known = |part: &&str| SCALARS.iter().any(|(_, name)| name == part);
    let parts: Vec<&str> = kind.split(" | ").collect();
    parts.iter().all(known).then_some(parts)
}

/// The same of a field, which is `None` where it may be left out.
fn derived(schema: &Value, always: bool) -> Option<Vec<&'static str>> {
    let name = |kind: &Value| {
        let scalar = SCALARS.iter().find(|(kind_name, _)| kind == kind_name);
        scalar.map(|(_, name)| *name)
    };
    let mut kinds: Vec<_> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().map(name).collect::<Option<_>>()?,
        kind => vec![name(kind)?],
    };
    kinds.extend((!always).then_some("None"));
    Some(kinds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_property_has_the_name_and_the_type_of_a_field() {
        let fields = json!({
            "properties": {
                "move": { "type": "string" }, "value": { "type": ["number", "null"] }, "exact": { "type": "boolean" },
            },
            "required": ["move", "value", "exact"],
        });
        let names = CLASSES.iter().flat_map(|(_, reports, _)| *reports);
        let schemas: Schemas = names.map(|name| ((*name).to_owned(), fields.clone())).collect();
        let class = |name: &str, properties: &str| {
            format!("\nclass {name}:\n    \"\"\"It.\"\"\"\n{properties}\n\n@final")
        };
        let stubs = |kind: &str, field: &str| {
            let property = format!("    @property\n    def {field}(self) -> {kind}: ...");
            let empty = CLASSES[1..].iter().map(|(name, ..)| class(name, ""));
            class("MoveValue", &property) + &empty.collect::<String>()
        };
        let differing =
            |kind: &str, field: &str| differences(&stubs(kind, field), &schemas).unwrap();
        assert!(differing("float | None", "value").is_empty());
        assert!(differing("list[str]", "move").is_empty());
        assert_eq!(
            differing("float", "value"),
            ["MoveValue.value is float: expected float | None"]
        );
        assert_eq!(differing("float", "worth"), ["MoveValue.worth is no field of Scored"]);
    }
}
