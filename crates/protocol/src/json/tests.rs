//! Lines are read as they are written, and wrong ones are refused by their field.

use proptest::prelude::*;

use super::*;

fn read(line: &str) -> Request {
    let (request, warnings) = Request::read(line).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(warnings, [], "{line}");
    request
}

#[test]
fn requests_are_read_as_they_are_written() {
    for line in [
        r#"{"id":"1"}"#,
        r#"{"id":"","game":"dicechess","moves":["@P","e2e4"]}"#,
        r#"{"id":"a","position":"5/5/2C2/5/2cba r - 1","moves":["@4"],"analyzeTurns":[1,0]}"#,
        concat!(
            r#"{"id":"b","agent":"star2","exact":true,"seed":7,"depth":4,"nodes":9,"movetime":5,"#,
            r#""multiPV":3,"priority":-2,"reportDuringSearchEvery":0.5,"includeLuck":true}"#
        ),
        r#"{"id":"c","action":"query_version"}"#,
        r#"{"id":"d","action":"clear_cache"}"#,
        r#"{"id":"e","action":"terminate","terminateId":"a","turnNumbers":[1]}"#,
        r#"{"id":"f","action":"terminate_all"}"#,
    ] {
        assert_eq!(read(line).to_string(), line);
    }
}

#[test]
fn a_field_of_null_is_one_that_is_left_out() {
    assert_eq!(read(r#"{"id":"1","moves":null,"depth":null}"#), read(r#"{"id":"1"}"#));
}

#[test]
fn what_is_wrong_is_named_by_its_field() {
    for (line, field, expected) in [
        ("", None, "expected an object of JSON"),
        ("[1]", None, "expected an object of JSON"),
        (r#"{"id":"1""#, None, "expected an object of JSON"),
        (r#"{"moves":[]}"#, Some("id"), "expected a text of at most 256 bytes"),
        (r#"{"id":7}"#, Some("id"), "'7': expected a text"),
        (r#"{"id":"1","depth":0}"#, Some("depth"), "'0': expected a whole number from 1 to 64"),
        (r#"{"id":"1","depth":2.5}"#, Some("depth"), "'2.5': expected a whole number"),
        (r#"{"id":"1","nodes":1e30}"#, Some("nodes"), "expected a whole number"),
        (r#"{"id":"1","movetime":-1}"#, Some("movetime"), "from 1 to 86400000"),
        (r#"{"id":"1","moves":"@4"}"#, Some("moves"), "expected a list of rolls and moves"),
        (r#"{"id":"1","moves":["@4 a4b4"]}"#, Some("moves"), "expected a list of rolls and moves"),
        (r#"{"id":"1","moves":["@4"],"analyzeTurns":[2]}"#, Some("analyzeTurns"), "from 0 to 1"),
        (r#"{"id":"1","analyzeTurns":[0,0]}"#, Some("analyzeTurns"), "different"),
        (r#"{"id":"1","analyzeTurns":[]}"#, Some("analyzeTurns"), "a list of"),
        (r#"{"id":"1","includeLuck":1}"#, Some("includeLuck"), "true or false"),
        (r#"{"id":"1","reportDuringSearchEvery":0}"#, Some("reportDuringSearchEvery"), "from 0.01"),
        (r#"{"id":"1","action":"stop"}"#, Some("action"), "'stop': expected query_version"),
        (r#"{"id":"1","action":"terminate"}"#, Some("terminateId"), "expected the id"),
    ] {
        let refusal = Request::read(line).unwrap_err();
        assert_eq!(refusal.field.as_deref(), field, "{line}");
        assert!(refusal.error.contains(expected), "{line}: {}", refusal.error);
        let reply = Reply::Refused(refusal);
        assert_eq!(reply.to_string().parse(), Ok(reply));
    }
    let long = Request::read(&format!("{{\"id\":\"{}\"}}", "x".repeat(257))).unwrap_err();
    assert!(long.error.len() < 200, "{}", long.error);
}

#[test]
fn a_field_that_is_not_known_is_a_warning() {
    let (request, warnings) = Request::read(r#"{"id":"1","komi":7.5,"depth":3}"#).unwrap();
    assert_eq!(request, read(r#"{"id":"1","depth":3}"#));
    let [warning] = warnings.try_into().unwrap();
    assert_eq!(
        serde_json::to_string(&warning).unwrap(),
        r#"{"id":"1","warning":"'komi': expected a field of the protocol; it is not used","field":"komi"}"#
    );
}

#[test]
fn replies_are_read_as_they_are_written() {
    let moves = vec![MoveInfo {
        order: 0,
        mv: "c3d3".to_owned(),
        value: Some(0.25),
        exact: true,
        pv: vec!["c3d3".to_owned(), "@3".to_owned()],
    }];
    let rolls = vec![RollInfo {
        roll: "@4".to_owned(),
        weight: 6,
        move_infos: moves.clone(),
        ..RollInfo::default()
    }];
    let luck = vec![Luck { word: 0, roll: "@4".to_owned(), player: 1, luck: -0.125 }];
    let turn =
        AnalysisReply { id: "1".to_owned(), move_infos: Some(moves), ..AnalysisReply::default() };
    let rest = AnalysisReply { roll_infos: Some(rolls), luck: Some(luck), ..turn.clone() };
    let over = AnalysisReply { result: Some("p1win".to_owned()), ..AnalysisReply::default() };
    let done = |action| DoneReply { id: "2".to_owned(), action, name: None, version: None };
    for reply in [
        Reply::Analysis(Box::new(turn)),
        Reply::Analysis(Box::new(rest)),
        Reply::Analysis(Box::new(over)),
        Reply::NoResults(NoResults::new("1".to_owned(), 3)),
        Reply::Done(done(Action::ClearCache)),
        Reply::Done(done(Action::TerminateAll { turn_numbers: Some(vec![1]) })),
        Reply::Done(DoneReply { version: Some("0.1.0".to_owned()), ..done(Action::QueryVersion) }),
    ] {
        assert_eq!(reply.to_string().parse(), Ok(reply));
    }
    assert!("{}".parse::<Reply>().is_err() && "bestmove a4b4".parse::<Reply>().is_err());
}

proptest! {
    #[test]
    fn no_line_panics(
        line in "\\PC*",
        field in "id|moves|depth|nodes|movetime|multiPV|priority|seed|analyzeTurns|action|\\PC{0,5}",
        value in "-?[0-9]{0,20}|\"[a-z@0-9]{0,9}\"|\\[(\"@4\"|[0-9]|,){0,5}\\]|true|null|1e999",
    ) {
        for line in [line, format!("{{\"id\":\"1\",\"{field}\":{value}}}")] {
            if let Ok((request, _)) = Request::read(&line) {
                let again = Request::read(&request.to_string()).unwrap();
                prop_assert_eq!(again, (request, vec![]));
            }
            if let Ok(reply) = line.parse::<Reply>() {
                prop_assert_eq!(reply.to_string().parse(), Ok(reply));
            }
        }
    }
}
