//! Derives the documentation of the JSON of reports and of the site from the serialised types.
//!
//! The crate `wurfel-site` derives a schema from each of them (feature `schema`), and its example
//! `schemas` prints all. From these are made the schemas of `crates/site/openapi.json`, the types of
//! the page, and the tables of fields in the documents; the types of the Python package are compared
//! with them. The generated files are stored, so that they can be read, and CI checks that they are
//! up to date. The fuzz targets ask for the feature, so that the tests, and no other build, have it.

mod openapi;
mod stubs;
mod tables;
mod typescript;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use cargo_metadata::MetadataCommand;
use serde_json::{Map, Value};

use crate::files::with_extension;
use crate::steps;

const BUILD: &str = "cargo build --quiet --profile test --workspace --example schemas";
const OPENAPI: &str = "crates/site/openapi.json";
const TYPES: &str = "crates/site/web/types.d.ts";
const STUBS: &str = "crates/python/python/wurfel/_wurfel.pyi";

type Schemas = Map<String, Value>;

/// Checks that the stored files agree with the schemas.
pub fn check(root: &Path) -> Result<()> {
    run(root, false)
}

/// Compares every file with the schemas, or writes it if `keep`.
pub fn run(root: &Path, keep: bool) -> Result<()> {
    let [received, sent, reports] = derived(root)?;
    let mut all = sent.clone();
    all.extend(received);
    let file = |name: &str| fs::read_to_string(root.join(name)).context(name.to_owned());
    let mut made = vec![
        (OPENAPI.to_owned(), openapi::with_schemas(&file(OPENAPI)?, &all)?),
        (TYPES.to_owned(), typescript::declarations(&sent)),
    ];
    all.extend(reports);
    for page in with_extension(&root.join("docs"), "md")? {
        let name = page.strip_prefix(root)?.to_string_lossy().into_owned();
        let filled = tables::filled(&file(&name)?, &all).with_context(|| name.clone())?;
        made.push((name, filled));
    }
    let wrong = stubs::differences(&file(STUBS)?, &all)?;
    ensure!(wrong.is_empty(), "{STUBS}\n  {}", wrong.join("\n  "));
    let mut old = vec![];
    for (name, text) in made {
        if file(&name)? != text {
            if keep {
                fs::write(root.join(&name), text).with_context(|| name.clone())?;
            }
            old.push(name);
        }
    }
    if !keep && !old.is_empty() {
        bail!(
            "{} differ from the schemas: `cargo xtask schemas --keep` writes them",
            old.join(", ")
        );
    }
    let written = if keep { format!(", {} files written", old.len()) } else { String::new() };
    println!("{} schemas{written}", all.len());
    Ok(())
}

/// The schemas of what clients send, what they receive, and the library's reports.
fn derived(root: &Path) -> Result<[Schemas; 3]> {
    steps::run(root, BUILD)?;
    let metadata = MetadataCommand::new().current_dir(root).no_deps().exec()?;
    let program = metadata.target_directory.join("debug/examples/schemas");
    let printed = std::process::Command::new(&program).output().context(program.clone())?;
    ensure!(printed.status.success(), "{program}: {}", printed.status);
    let mut all: [Schemas; 3] = serde_json::from_slice(&printed.stdout)?;
    for (written, schemas) in [false, true, true].into_iter().zip(&mut all) {
        schemas.values_mut().for_each(|schema| tidy(schema, written));
    }
    Ok(all)
}

/// Descriptions become lines that name no types of the code, and what is written and may be left out
/// is never `null`.
fn tidy(schema: &mut Value, written: bool) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| tidy(item, written)),
        Value::Object(object) => {
            if let Some(Value::String(text)) = object.get_mut("description") {
                *text = text.replace('\n', " ").replace("[`", "`").replace("`]", "`");
                *text = text.replace("`None`", "`null`");
            }
            if written {
                object.remove("default");
                let required = names(object);
                if let Some(Value::Object(fields)) = object.get_mut("properties") {
                    let optional = fields.iter_mut().filter(|(name, _)| !required.contains(name));
                    optional.for_each(|(_, field)| without_null(field));
                }
            }
            object.values_mut().for_each(|value| tidy(value, written));
        }
        _ => {}
    }
}

/// The names of the fields that are always there, in the order in which they are declared.
fn names(object: &Map<String, Value>) -> Vec<String> {
    let required = object.get("required").and_then(Value::as_array).into_iter().flatten();
    required.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Every field of an object, those that are always there first, and whether it is one of them.
fn fields(object: &Map<String, Value>) -> impl Iterator<Item = (String, &Value, bool)> {
    let required = names(object);
    let properties = object.get("properties").and_then(Value::as_object);
    let there = required.clone().into_iter().map(|name| (name, true));
    let others = properties.into_iter().flat_map(Map::keys).cloned();
    let others = others.filter(move |name| !required.contains(name)).map(|name| (name, false));
    let all = there.chain(others);
    all.filter_map(move |(name, always)| {
        let field = properties?.get(&name)?;
        Some((name, field, always))
    })
}

fn without_null(field: &mut Value) {
    let Value::Object(field) = field else { return };
    if let Some(Value::Array(kinds)) = field.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = &kinds[..] {
            let kind = kind.clone();
            field.insert("type".into(), kind);
        }
    }
    if let Some(Value::Array(kinds)) = field.get_mut("anyOf") {
        kinds.retain(|kind| kind["type"] != "null");
        if let [Value::Object(kind)] = &kinds[..] {
            let kind = kind.clone();
            field.remove("anyOf");
            field.extend(kind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_may_be_left_out_is_never_null_where_it_is_written() {
        let schema = json!({
            "description": "One\nline; `None` for [`Mark`].",
            "required": ["z", "a"],
            "properties": {
                "a": { "type": ["number", "null"] },
                "m": { "type": ["string", "null"] },
                "o": { "anyOf": [{ "$ref": "#/components/schemas/Mark" }, { "type": "null" }] },
                "z": { "type": "string" },
            },
        });
        let (mut written, mut read) = (schema.clone(), schema);
        tidy(&mut written, true);
        tidy(&mut read, false);
        assert_eq!(written["description"], "One line; `null` for `Mark`.");
        let kinds =
            |schema: &Value| ["a", "m"].map(|name| schema["properties"][name]["type"].to_string());
        assert_eq!(kinds(&written), [r#"["number","null"]"#, r#""string""#]);
        assert_eq!(kinds(&read)[1], r#"["string","null"]"#);
        assert_eq!(written["properties"]["o"], json!({ "$ref": "#/components/schemas/Mark" }));
        let order = fields(written.as_object().unwrap()).map(|(name, ..)| name);
        assert_eq!(order.collect::<Vec<_>>(), ["z", "a", "m", "o"]);
    }
}
