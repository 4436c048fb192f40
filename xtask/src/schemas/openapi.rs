//! The description of the site's HTTP interface: its addresses are written by hand, its schemas are
//! derived.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::Schemas;

/// The line after which the file is made.
const BEGIN: &str = "    \"schemas\": {\n";

/// The text of the description with these schemas, one a line.
pub fn with_schemas(text: &str, schemas: &Schemas) -> Result<String> {
    let (by_hand, _) = text.split_once(BEGIN).context("there is no line with \"schemas\"")?;
    let line = |(name, schema): (&String, &Value)| format!("      \"{name}\": {schema}");
    let lines: Vec<String> = schemas.iter().map(line).collect();
    let whole = format!("{by_hand}{BEGIN}{}\n    }}\n  }}\n}}\n", lines.join(",\n"));
    let document: Value = serde_json::from_str(&whole)?;
    let mut missing = BTreeSet::new();
    find_missing(&document, schemas, &mut missing);
    ensure!(missing.is_empty(), "no type has the schema {missing:?}");
    Ok(whole)
}

fn find_missing<'a>(value: &'a Value, schemas: &Schemas, missing: &mut BTreeSet<&'a str>) {
    if let Some(name) =
        value["$ref"].as_str().and_then(|name| name.strip_prefix("#/components/schemas/"))
    {
        missing.extend((!schemas.contains_key(name)).then_some(name));
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| find_missing(item, schemas, missing)),
        Value::Object(object) => {
            object.values().for_each(|item| find_missing(item, schemas, missing));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHS: &str =
        "{\n  \"paths\": { \"$ref\": \"#/components/schemas/Room\" },\n  \"components\": {\n";

    #[test]
    fn addresses_stay_and_what_they_name_must_be_derived() {
        let text = format!("{PATHS}{BEGIN}      \"Old\": {{}}\n    }}\n  }}\n}}\n");
        let schemas = |name: &str| [(name.to_owned(), Value::Bool(true))].into_iter().collect();
        let made = with_schemas(&text, &schemas("Room")).unwrap();
        assert_eq!(made, format!("{PATHS}{BEGIN}      \"Room\": true\n    }}\n  }}\n}}\n"));
        let error = with_schemas(&text, &schemas("Rooms")).unwrap_err().to_string();
        assert_eq!(error, "no type has the schema {\"Room\"}");
    }
}
