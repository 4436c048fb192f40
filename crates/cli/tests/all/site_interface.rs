//! The description of the site's interface, compared with its answers.

use serde_json::{Value, json};

use crate::program::site::{Site, against, id, person, text};
use crate::program::wurfel;

/// The first difference between an answer and the description of the interface.
fn misfit(description: &Value, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let misfit = |schema, value, place: &str| misfit(description, schema, value, place);
    if let Some(name) = schema["$ref"].as_str() {
        let target = description.pointer(&name[1..]).unwrap_or_else(|| panic!("{name}"));
        misfit(target, value, place)?;
    }
    if let Some(choices) = schema.get("oneOf").or(schema.get("anyOf")).and_then(Value::as_array) {
        let tried: Vec<_> = choices.iter().map(|choice| misfit(choice, value, place)).collect();
        if tried.iter().all(Result::is_err) {
            return Err(format!("{place}: {value} is none of the choices: {tried:?}"));
        }
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().map(text).collect(),
        Value::String(kind) => vec![kind],
        _ => vec![],
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let matches = |&known: &&str| known == kind || (known, kind) == ("number", "integer");
    if !kinds.is_empty() && !kinds.iter().any(matches) {
        return Err(format!("{place}: {value} is no {kinds:?}"));
    }
    if let Some(known) = schema["enum"].as_array().filter(|known| !known.contains(value)) {
        return Err(format!("{place}: {value} is none of {known:?}"));
    }
    if schema.get("const").is_some_and(|known| known != value) {
        return Err(format!("{place}: {value} is not {}", schema["const"]));
    }
    if let (Some(least), Some(number)) = (schema["minimum"].as_i64(), value.as_i64())
        && number < least
    {
        return Err(format!("{place}: {number} is less than {least}"));
    }
    for (name, part) in value.as_object().into_iter().flatten() {
        let field = schema["properties"].get(name).unwrap_or(&schema["additionalProperties"]);
        misfit(field, part, &format!("{place}.{name}"))?;
    }
    let required = schema["required"].as_array().into_iter().flatten();
    if let (Some(name), true) =
        (required.map(text).find(|name| value.get(name).is_none()), value.is_object())
    {
        return Err(format!("{place} has no {name}"));
    }
    for (n, part) in value.as_array().into_iter().flatten().enumerate() {
        let item = schema["prefixItems"].get(n).unwrap_or(&schema["items"]);
        misfit(item, part, &format!("{place}[{n}]"))?;
    }
    Ok(())
}

/// Asserts that an answer is as the description says.
fn fits(description: &Value, schema: &Value, value: &Value, place: &str) {
    misfit(description, schema, value, place).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn the_interface_is_as_it_is_described() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    std::fs::create_dir(&runs).unwrap();
    let out = runs.join("match.jsonl");
    let run =
        wurfel(&["match", "random", "greedy", "--pairs", "2", "--out", out.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.err);
    let site = Site::serve(folder.path(), &["--runs", runs.to_str().unwrap()]);
    let description = site.get("/api/openapi.json").json();
    let (room, token) = site.open(&against("greedy"));
    let id = id(&room);
    let scene = "/api/scene?game=einstein&position=ABC2/DE3/F3f/3ed/2cba%20r%204%201&move=a4b3";
    let act = json!({ "token": token, "version": 1, "do": "resign" });
    let request = against("greedy");
    let game = "5/1a3/5/3A1/5 r - 1 @1 d2d1 @1 b4a5 0-1";
    let review = json!({ "game": "einstein", "text": game });
    let list = json!({ "text": game });
    let mut invited = against("greedy");
    (invited["players"], invited["guest"]) = (json!([person(), person()]), json!(1));
    let invited = site.post("/api/rooms", &invited).json();
    let join = json!({ "code": invited["code"], "token": "ab".repeat(16) });
    // Asks every address of the description once.
    let requests = [
        ("get", "/api/openapi.json", "/api/openapi.json".to_owned(), None),
        ("get", "/api/games", "/api/games".to_owned(), None),
        ("get", "/api/scene", scene.to_owned(), None),
        ("get", "/api/rooms", "/api/rooms".to_owned(), None),
        ("post", "/api/rooms", "/api/rooms".to_owned(), Some(request)),
        ("get", "/api/rooms/{id}", format!("/api/rooms/{id}"), None),
        ("post", "/api/rooms/{id}", format!("/api/rooms/{id}"), Some(act)),
        ("get", "/api/rooms/{id}/record", format!("/api/rooms/{id}/record"), None),
        ("get", "/api/lobby", "/api/lobby".to_owned(), None),
        ("post", "/api/join", "/api/join".to_owned(), Some(join)),
        ("get", "/api/puzzles/{game}/{number}", "/api/puzzles/einstein/1".to_owned(), None),
        ("get", "/api/puzzles/{game}/{number}", "/api/puzzles/dicechess3/1".to_owned(), None),
        ("post", "/api/review", "/api/review".to_owned(), Some(review)),
        ("post", "/api/qr", "/api/qr".to_owned(), Some(json!({ "text": "http://localhost" }))),
        ("post", "/api/review/games", "/api/review/games".to_owned(), Some(list)),
        ("get", "/api/runs", "/api/runs".to_owned(), None),
        ("get", "/api/runs/{name}", "/api/runs/match.jsonl".to_owned(), None),
    ];
    for (method, path, address, body) in &requests {
        let answer = match body {
            Some(body) => site.post(address, body),
            None => site.get(address),
        };
        let described = &description["paths"][path][method]["responses"];
        let described = &described[answer.status.to_string()];
        assert!(described.is_object(), "{method} {path}: {} is not described", answer.status);
        assert!(answer.status < 300, "{method} {path}: {answer:?}");
        let schema = &described["content"]["application/json"]["schema"];
        fits(&description, schema, &answer.json(), path);
    }
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, described) in methods.as_object().unwrap() {
            // Whoever asks too often is refused everywhere, and a body is JSON.
            assert!(described["responses"]["429"].is_object(), "{method} {path}");
            assert_eq!(method == "post", described["responses"]["415"].is_object(), "{path}");
            let known = requests.iter().any(|ask| (ask.0, ask.1) == (method, path));
            assert!(known, "{method} {path} is described, but not asked here");
        }
    }
    // Refusals have the form that the description gives them.
    let problem = &description["components"]["schemas"]["Problem"];
    let refused = [site.get("/api/rooms/x"), site.post("/api/rooms", &json!({ "game": "go" }))];
    for answer in refused {
        fits(&description, problem, &answer.json(), "a problem");
    }
}
