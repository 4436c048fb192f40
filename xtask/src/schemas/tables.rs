//! Tables of fields in the documents.
//!
//! A table is between two comments, `<!-- fields of MatchReport -->` and `<!-- end -->`, and has a
//! row for each field of this schema. `<!-- fields of SprtReport beyond MatchReport -->` has only
//! those that the second one lacks.

use std::fmt::Write;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::{Schemas, fields};

const BEGIN: &str = "<!-- fields of ";
const END: &str = "<!-- end -->";

/// A page with its tables filled from the schemas.
pub fn filled(page: &str, schemas: &Schemas) -> Result<String> {
    let mut filled = String::new();
    let mut rest = page;
    while let Some(begin) = rest.find(BEGIN) {
        let (before, table) = rest.split_at(begin);
        let (head, after) = table.split_once("-->\n").context("a comment does not end")?;
        let wanted = head.trim_start_matches(BEGIN).trim();
        let (_, after) =
            after.split_once(END).with_context(|| format!("no {END} after {wanted}"))?;
        filled.push_str(before);
        write!(filled, "{head}-->\n\n{}\n{END}", table_of(wanted, schemas)?)?;
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

fn table_of(wanted: &str, schemas: &Schemas) -> Result<String> {
    let (name, without) = wanted.split_once(" beyond ").unwrap_or((wanted, ""));
    let find = |name: &str| {
        let schema = schemas.get(name).and_then(Value::as_object);
        schema.with_context(|| format!("no type has the schema '{name}'"))
    };
    let known = if without.is_empty() {
        vec![]
    } else {
        fields(find(without)?).map(|(name, ..)| name).collect()
    };
    let mut table = "| field | meaning |\n|---|---|\n".to_owned();
    for (field, schema, always) in fields(find(name)?) {
        if known.contains(&field) {
            continue;
        }
        let Some(text) = schema["description"].as_str() else {
            bail!("the field '{field}' of {name} has no description");
        };
        let text = text.replace('|', "\\|");
        let mark = if always { "" } else { ", if any" };
        writeln!(table, "| `{field}`{mark} | {text} |")?;
    }
    ensure!(table.lines().count() > 2, "{name} has no other fields");
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_table_has_the_fields_of_its_schema_and_the_text_around_it_stays() {
        let rate = json!({ "description": "Points a game." });
        let luck = json!({ "description": "a|b" });
        let schemas = json!({
            "Match": { "properties": { "rate": rate }, "required": ["rate"] },
            "Sprt": { "properties": { "luck": luck, "rate": rate }, "required": ["rate"] },
        });
        let schemas = schemas.as_object().unwrap();
        let page = "# Top\n<!-- fields of Match -->\nold\n<!-- end -->\nBottom\n";
        let made = filled(page, schemas).unwrap();
        let head = "| field | meaning |\n|---|---|\n";
        let row = "| `rate` | Points a game. |";
        assert_eq!(
            made,
            format!("# Top\n<!-- fields of Match -->\n\n{head}{row}\n\n<!-- end -->\nBottom\n")
        );
        assert_eq!(filled(&made, schemas).unwrap(), made);
        let beyond = "<!-- fields of Sprt beyond Match -->\n<!-- end -->";
        assert!(filled(beyond, schemas).unwrap().contains("\n| `luck`, if any | a\\|b |\n\n"));
        let error = filled("<!-- fields of Mtach -->\n<!-- end -->", schemas).unwrap_err();
        assert_eq!(error.to_string(), "no type has the schema 'Mtach'");
    }
}
