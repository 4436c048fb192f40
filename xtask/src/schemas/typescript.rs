//! Schemas as types of TypeScript, with which the page is checked.

use serde_json::{Map, Value};

use super::{Schemas, fields};

/// The declaration of every schema.
pub fn declarations(schemas: &Schemas) -> String {
    let head = "// What the server sends. `cargo xtask schemas --keep` writes this file.\n";
    let each = schemas.iter().map(|(name, schema)| declaration(name, schema));
    std::iter::once(head.to_owned()).chain(each).collect::<Vec<_>>().join("\n")
}

fn declaration(name: &str, schema: &Value) -> String {
    let comment = comment(schema, "");
    match schema.as_object().filter(|schema| is_plain(schema)) {
        Some(object) => format!("{comment}interface {name} {{\n{}}}\n", members(object)),
        None => format!("{comment}type {name} = {};\n", kind(schema)),
    }
}

/// Whether a schema is an object with fields, and nothing else.
fn is_plain(schema: &Map<String, Value>) -> bool {
    schema.contains_key("properties")
        && !["$ref", "oneOf", "anyOf"].iter().any(|key| schema.contains_key(*key))
}

fn comment(schema: &Value, indent: &str) -> String {
    let text = schema["description"].as_str();
    text.map(|text| format!("{indent}/** {text} */\n")).unwrap_or_default()
}

/// The fields of an object, a line each.
fn members(object: &Map<String, Value>) -> String {
    let member = |(name, field, always): (String, &Value, bool)| {
        let mark = if always { "" } else { "?" };
        format!("{}  {name}{mark}: {};\n", comment(field, "  "), kind(field))
    };
    fields(object).map(member).collect()
}

fn kind(schema: &Value) -> String {
    let mut parts = vec![];
    if let Some(name) = schema["$ref"].as_str() {
        parts.push(name.rsplit('/').next().unwrap_or(name).to_owned());
    }
    if let Some(object) = schema.as_object().filter(|object| object.contains_key("properties")) {
        let member = |(name, field, always): (String, &Value, bool)| {
            format!("{name}{}: {}", if always { "" } else { "?" }, kind(field))
        };
        parts.push(format!("{{ {} }}", fields(object).map(member).collect::<Vec<_>>().join("; ")));
    }
    if let Some(choices) = schema.get("oneOf").or(schema.get("anyOf")).and_then(Value::as_array) {
        let choices = choices.iter().map(kind).collect::<Vec<_>>().join(" | ");
        parts.push(if parts.is_empty() { choices } else { format!("({choices})") });
    }
    if !parts.is_empty() {
        return parts.join(" & ");
    }
    if let Some(value) = schema.get("const") {
        return literal(value);
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(literal).collect::<Vec<_>>().join(" | ");
    }
    match &schema["type"] {
        Value::Array(kinds) => {
            let each = kinds.iter().map(|name| named(name.as_str().unwrap_or_default(), schema));
            each.collect::<Vec<_>>().join(" | ")
        }
        name => named(name.as_str().unwrap_or_default(), schema),
    }
}

fn literal(value: &Value) -> String {
    value.to_string().replace('"', "'")
}

fn named(name: &str, schema: &Value) -> String {
    match name {
        "null" | "string" | "boolean" => name.to_owned(),
        "integer" | "number" => "number".to_owned(),
        "array" => array(schema),
        "object" => format!("Record<string, {}>", kind(&schema["additionalProperties"])),
        _ => "unknown".to_owned(),
    }
}

/// The longest array of fixed length that is written as a tuple.
const MAX_TUPLE: u64 = 5;

fn array(schema: &Value) -> String {
    if let Some(items) = schema["prefixItems"].as_array() {
        return format!("[{}]", items.iter().map(kind).collect::<Vec<_>>().join(", "));
    }
    let item = kind(&schema["items"]);
    match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
        (Some(least), Some(most)) if least == most && most <= MAX_TUPLE => {
            format!("[{}]", vec![item; most as usize].join(", "))
        }
        _ if item.contains(' ') => format!("({item})[]"),
        _ => format!("{item}[]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn schemas_become_types() {
        let choice = json!({ "oneOf": [{ "const": "won" }, { "const": "lost" }] });
        assert_eq!(kind(&choice), "'won' | 'lost'");
        let pair = json!({ "type": "array", "items": choice, "minItems": 2, "maxItems": 2 });
        assert_eq!(kind(&pair), "['won' | 'lost', 'won' | 'lost']");
        assert_eq!(kind(&json!({ "type": "array", "items": choice })), "('won' | 'lost')[]");
        let fault = json!({
            "type": ["array", "null"],
            "prefixItems": [{ "type": "integer" }, { "$ref": "#/components/schemas/Fault" }],
        });
        assert_eq!(kind(&fault), "[number, Fault] | null");
        let columns =
            json!({ "type": "object", "additionalProperties": { "type": ["number", "null"] } });
        assert_eq!(kind(&columns), "Record<string, number | null>");
        let tagged = json!({
            "$ref": "#/components/schemas/Training",
            "type": "object",
            "properties": { "kind": { "const": "training" } },
            "required": ["kind"],
        });
        assert_eq!(kind(&tagged), "Training & { kind: 'training' }");
    }

    #[test]
    fn an_object_becomes_an_interface_in_the_order_of_its_fields() {
        let object = json!({
            "description": "A report.",
            "type": "object",
            "properties": { "a": { "type": "string" }, "z": { "type": "number", "description": "Last." } },
            "required": ["z"],
        });
        let schemas = [("Report".to_owned(), object)].into_iter().collect();
        let made = declarations(&schemas);
        let (_, made) = made.split_once("\n\n").unwrap();
        assert_eq!(
            made,
            "/** A report. */\ninterface Report {\n  /** Last. */\n  z: number;\n  a?: string;\n}\n"
        );
    }
}
