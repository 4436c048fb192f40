//! One question at every door: the program and the site give it the same answer, under the same names.
//! (`engine_json` asks the engine, `site_rollout` for rollouts, the tests of units of work and those of
//! the package for Python ask there.)

use serde_json::{Value, json};

use crate::program::site::Site;
use crate::program::wurfel;

/// Two positions and moves of a game that is solved to its end, so that no clock decides about a value.
const GAME: &str = "5/2B2/5/1c1A1/5 r - 1 @1 d2e1";
const POSITION: &str = "5/5/2C2/5/2cba r - 1";

fn object(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// The first line that the program prints.
fn answer(args: &[&str]) -> Value {
    let run = wurfel(args);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}");
    object(run.out.lines().next().expect("a line"))
}

/// Asserts that an answer has everything that another one has, but for how long it took.
fn has_all(answer: &Value, of: &Value) {
    for (name, value) in of.as_object().expect("an object") {
        if name != "seconds" && name != "nodes" {
            assert_eq!(&answer[name], value, "{name}");
        }
    }
}

#[test]
fn a_review_of_the_site_is_that_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let shown = site.post("/api/review", &json!({ "game": "einstein", "text": GAME })).json();
    let expected = answer(&["review", GAME, "--json"]);
    assert!(
        expected["moves"][0]["exact"] == true && expected["moves"][0]["moves"].is_array(),
        "{expected}"
    );
    has_all(&shown, &expected);
}

#[test]
fn an_analysis_is_the_same_wherever_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::serve(folder.path(), &[]);
    let agent = "expecti:depth=2";
    let expected = answer(&["analyse", POSITION, "--agent", agent, "--json"]);
    let mut socket = site.socket("/api/analyse", None).unwrap();
    socket.send(&json!({ "game": "einstein", "position": POSITION, "agent": agent }));
    has_all(&socket.hear().expect("a report"), &expected);
}
