//! The engine for programs that analyse many positions at once, driven as such a program does.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::program::{command, wurfel, wurfel_with};
use serde_json::{Value, json};
use wurfel_core::Random;

const ENGINE: [&str; 4] = ["engine", "star2", "--protocol", "json"];
/// Red has one cube and moves next to its goal with any roll; blue has three.
const ENDING: &str = "5/5/2C2/5/2cba r - 1";

/// All answers to these queries.
fn ask(args: &[&str], queries: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = queries.iter().map(Value::to_string).collect();
    let input = lines.join("\n");
    let run = wurfel_with(&[&ENGINE, args].concat(), &input);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    run.json()
}

/// The only answer to a query.
fn answer(query: &Value) -> Value {
    let [answer] = ask(&[], std::slice::from_ref(query)).try_into().unwrap();
    answer
}

/// An engine that goes on running, and is killed when it is dropped.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn new(args: &[&str]) -> Self {
        let mut child = command(&[&ENGINE, args].concat()).stdin(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output }
    }

    fn say(&mut self, query: &Value) {
        self.input.write_all(format!("{query}\n").as_bytes()).unwrap();
    }

    /// The next answer that is not a report during a search.
    fn hear(&mut self) -> Value {
        loop {
            let answer = self.hear_any();
            if answer["isDuringSearch"] != json!(true) {
                return answer;
            }
        }
    }

    fn hear_any(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("'{line}': {error}"))
    }

    /// Keeps its only thread busy with a search that ends only when it is told to.
    fn keep_busy(&mut self) {
        self.say(&json!({ "id": "long", "moves": ["@4"], "movetime": 86_400_000,
            "reportDuringSearchEvery": 0.01 }));
        assert_eq!(self.hear_any()["id"], json!("long"));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn an_answer_is_that_of_the_command_analyse() {
    let args = ["--agent", "star2", "--depth", "4", "--json"];
    for position in ["ABC2/DE3/F3f/3ed/2cba r 4 1", "ABC2/DE3/F3f/3ed/2cba r - 1"] {
        let run = wurfel(&[&["analyse", position][..], &args].concat());
        let direct: Value = serde_json::from_str(&run.out).unwrap();
        let query = json!({ "id": "1", "position": position, "agent": "star2", "depth": 4 });
        let answer = answer(&query);
        for field in ["value", "depth", "nodes", "position"] {
            assert_eq!(answer[field], direct[field], "{field}");
        }
        let infos = answer["moveInfos"].as_array().or(answer["rollInfos"].as_array()).unwrap();
        let known = direct["moves"].as_array().or(direct["rolls"].as_array()).unwrap();
        assert_eq!(infos.len(), known.len());
        for (info, known) in infos.iter().zip(known) {
            assert_eq!(info["value"], known["value"]);
        }
    }
}

#[test]
fn values_of_endings_are_exact_and_known() {
    // 95/108, computed independently of this program, by four decimals; see the table of numbers
    // to test against.
    let query = json!({ "id": "1", "position": ENDING, "exact": true });
    let first = answer(&query);
    assert!((first["value"].as_f64().unwrap() - 95.0 / 108.0).abs() < 1e-4, "{first}");
    assert_eq!((&first["exact"], &first["player"]), (&json!(true), &json!(1)));
    let rolls = first["rollInfos"].as_array().unwrap();
    assert_eq!((rolls.len(), &rolls[0]["weight"]), (1, &json!(6)));
    // For blue, after red's best move, what red does not win.
    let query = json!({ "id": "1", "position": "5/5/3C1/5/2cba b - 2", "exact": true });
    let second = answer(&query);
    assert_eq!(second["player"], json!(2));
    let red: f64 = rolls[0]["moveInfos"][0]["value"].as_f64().unwrap();
    assert!((second["value"].as_f64().unwrap() + red - 1.0).abs() < 1e-4, "{second}");
}

#[test]
fn several_turns_of_a_game_are_answered_each_with_its_number() {
    let moves = ["@4", "a4b4", "@1", "e1e2"];
    let query = json!({ "id": "game", "moves": moves, "analyzeTurns": [4, 0, 1, 2, 3],
        "depth": 2, "multiPV": 1, "includeLuck": true });
    let mut answers = ask(&["--threads", "2"], &[query]);
    answers.sort_by_key(|answer| answer["turnNumber"].as_u64());
    assert_eq!(answers.len(), 5);
    for (turn, answer) in answers.iter().enumerate() {
        assert_eq!(answer["turnNumber"], json!(turn));
        assert_eq!(answer["isDuringSearch"], json!(false));
        assert_eq!(answer["moveInfos"].is_array(), turn % 2 == 1, "{answer}");
        assert_eq!(answer["rollInfos"].is_array(), turn % 2 == 0, "{answer}");
        assert_eq!(answer["player"], json!([1, 1, 2, 2, 1][turn]));
        let luck = answer["luck"].as_array().unwrap();
        assert_eq!(luck.len(), [0, 1, 1, 2, 2][turn]);
    }
    assert_eq!(answers[1]["moveInfos"].as_array().unwrap().len(), 1);
    let luck = answers[4]["luck"].as_array().unwrap();
    let known: Vec<_> = luck.iter().map(|l| (&l["word"], &l["roll"], &l["player"])).collect();
    let expected = [(&json!(0), &json!("@4"), &json!(1)), (&json!(2), &json!("@1"), &json!(2))];
    assert_eq!(known, expected);
}

#[test]
fn the_luck_of_the_rolls_of_a_position_sums_to_nothing() {
    let query = |roll: u32| {
        json!({ "id": "1", "moves": [format!("@{roll}")], "depth": 1,
        "includeLuck": true })
    };
    let queries: Vec<Value> = (1..=6).map(query).collect();
    let luck = |answer: &Value| answer["luck"][0]["luck"].as_f64().unwrap();
    let answers = ask(&[], &queries);
    let sum: f64 = answers.iter().map(luck).sum();
    assert!(sum.abs() < 1e-5 && answers.iter().any(|answer| luck(answer) > 0.001), "{sum}");
}

#[test]
fn a_game_that_is_over_has_a_result_and_no_search() {
    let query = json!({ "id": "1", "position": "5/5/5/5/a3A b - 3" });
    let over = answer(&query);
    assert_eq!((&over["result"], &over["value"]), (&json!("p1win"), &json!(0.0)));
    assert_eq!((&over["exact"], &over["nodes"]), (&json!(true), &json!(0)));
    assert!(over.get("rollInfos").is_none());
}

#[test]
fn what_is_wrong_is_named_by_its_field_and_ends_nothing() {
    let text = json!("x".repeat(70_000)).to_string();
    for (line, field, message) in [
        ("hello", None, "expected an object of JSON"),
        (&text, None, "expected a line of at most 65536 bytes"),
        (r#"{"id":"1","game":"chess"}"#, Some("game"), "unknown game 'chess'"),
        (r#"{"id":"1","agent":"star3"}"#, Some("agent"), "unknown agent 'star3'"),
        (r#"{"id":"1","agent":"cmd:./engine"}"#, Some("agent"), "a driver cannot start programs"),
        (r#"{"id":"1","position":"nonsense"}"#, Some("position"), "position 'nonsense'"),
        (r#"{"id":"1","moves":["@4","a1a2"]}"#, Some("moves"), "word 2: move 'a1a2'"),
        (r#"{"id":"1","moves":["@7"]}"#, Some("moves"), "word 1: die '7'"),
        (r#"{"id":"1","depth":0}"#, Some("depth"), "from 1 to 64"),
        (r#"{"id":"1","action":"quit"}"#, Some("action"), "expected query_version"),
    ] {
        let run = wurfel_with(&ENGINE, format!("{line}\n\n{{\"id\":\"2\",\"depth\":1}}\n"));
        let [refusal, next] = run.json().try_into().unwrap();
        assert_eq!(refusal.get("field").and_then(Value::as_str), field, "{refusal}");
        assert!(refusal["error"].as_str().unwrap().contains(message), "{refusal}");
        assert_eq!((run.code, &next["id"]), (0, &json!("2")));
    }
    let [warning, analysis] =
        ask(&[], &[json!({ "id": "1", "komi": 7, "depth": 1 })]).try_into().unwrap();
    assert_eq!((&warning["field"], &analysis["turnNumber"]), (&json!("komi"), &json!(0)));
    wurfel_with(&["engine", "star3", "--protocol", "json"], "").refused("unknown agent 'star3'");
    let lost = ["engine", "--protocol", "json", "--game", "chess"];
    wurfel_with(&lost, "").refused("unknown game 'chess'");
}

#[test]
fn many_more_queries_than_can_wait_are_all_answered_once() {
    const COUNT: usize = 20_000;
    let query = |number: usize| {
        json!({ "id": number.to_string(), "position": ENDING,
        "agent": "greedy", "multiPV": 1, "priority": number % 3 })
    };
    let queries: Vec<Value> = (0..COUNT).map(query).collect();
    let answers = ask(&["--threads", "2"], &queries);
    let mut ids: BTreeMap<&str, usize> = BTreeMap::new();
    for answer in &answers {
        *ids.entry(answer["id"].as_str().unwrap()).or_default() += 1;
    }
    assert_eq!((ids.len(), answers.len()), (COUNT, COUNT));
}

#[test]
fn the_answer_does_not_depend_on_threads_or_on_what_is_asked_beside_it() {
    let query = |number: usize| {
        json!({ "id": number.to_string(), "agent": "uct", "seed": 5,
        "nodes": 300, "moves": [format!("@{}", number % 6 + 1)] })
    };
    let queries: Vec<Value> = (0..24).map(query).collect();
    let sorted = |args: &[&str], queries: &[Value]| {
        let mut answers = ask(args, queries);
        for answer in &mut answers {
            answer["time"] = Value::Null;
        }
        answers.sort_by_key(|answer| answer["id"].as_str().unwrap().parse::<u64>().unwrap());
        answers
    };
    let alone = sorted(&["--threads", "1"], &queries[..6]);
    let together = sorted(&["--threads", "3"], &queries);
    for (number, answer) in together.iter().enumerate() {
        assert_eq!(answer["moveInfos"], alone[number % 6]["moveInfos"], "{number}");
    }
}

#[test]
fn it_listens_while_it_thinks() {
    let mut engine = Engine::new(&["--threads", "1"]);
    engine.keep_busy();
    for id in ["waits", "other"] {
        engine.say(&json!({ "id": id, "moves": ["@4"] }));
    }
    engine.say(&json!({ "id": "v", "action": "query_version" }));
    let version = engine.hear();
    assert_eq!((&version["id"], &version["name"]), (&json!("v"), &json!("wurfel")));
    assert_eq!(version["version"], json!(env!("CARGO_PKG_VERSION")));
    // What waits has no results; what is under way has what was found.
    engine.say(&json!({ "id": "t", "action": "terminate", "terminateId": "waits" }));
    assert_eq!(
        engine.hear(),
        json!({ "id": "waits", "turnNumber": 1, "isDuringSearch": false,
        "noResults": true })
    );
    let done = engine.hear();
    assert_eq!(done, json!({ "id": "t", "action": "terminate", "terminateId": "waits" }));
    engine.say(&json!({ "id": "a", "action": "terminate_all", "turnNumbers": [1] }));
    let mut replies: Vec<Value> = (0..3).map(|_| engine.hear()).collect();
    replies.sort_by_key(|answer| answer["id"].to_string());
    let ids: Vec<&Value> = replies.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&json!("a"), &json!("long"), &json!("other")]);
    let [_, long, other] = replies.try_into().unwrap();
    assert!(long["moveInfos"].is_array() && other["noResults"] == json!(true), "{long} {other}");
    engine.say(&json!({ "id": "c", "action": "clear_cache" }));
    assert_eq!(engine.hear(), json!({ "id": "c", "action": "clear_cache" }));
    engine.say(&json!({ "id": "next", "depth": 2 }));
    assert_eq!(engine.hear()["id"], json!("next"));
}

/// More positions wait than an engine that stops reading would have room for: it would not hear
/// what ends them, and thread and driver would wait for each other.
#[test]
fn a_driver_is_heard_however_much_waits() {
    const COUNT: usize = 5000;
    let mut engine = Engine::new(&["--threads", "1"]);
    engine.keep_busy();
    for number in 0..COUNT {
        engine.say(&json!({ "id": number.to_string(), "depth": 1 }));
    }
    engine.say(&json!({ "id": "all", "action": "terminate_all" }));
    let replies: Vec<Value> = (0..COUNT + 2).map(|_| engine.hear()).collect();
    let ended = replies.iter().filter(|answer| answer["noResults"] == json!(true)).count();
    assert_eq!(ended, COUNT);
    for id in ["all", "long"] {
        assert!(replies.iter().any(|answer| answer["id"] == json!(id)), "{id}");
    }
}

/// Each look at the position gets what the looks before it have left, not the whole limit again.
#[test]
fn reports_on_the_way_cost_no_nodes_beyond_the_limit() {
    const LIMIT: u64 = 60_000;
    for agent in ["star2", "uct"] {
        let query = json!({ "id": "1", "moves": ["@4"], "agent": agent, "nodes": LIMIT,
            "reportDuringSearchEvery": 0.01 });
        let answers = ask(&[], &[query]);
        let last = answers.last().unwrap();
        let nodes = last["nodes"].as_u64().unwrap();
        // A look ends when its nodes are spent, and visits each move at least once.
        assert!(nodes <= LIMIT + 100, "{agent}: {nodes}");
    }
}

#[test]
fn higher_priority_is_begun_first() {
    let mut engine = Engine::new(&["--threads", "1"]);
    engine.keep_busy();
    for (id, priority) in [("low", -3), ("default", 0), ("high", 7)] {
        engine.say(&json!({ "id": id, "depth": 1, "priority": priority }));
    }
    engine.say(&json!({ "id": "t", "action": "terminate", "terminateId": "long" }));
    let ids: Vec<Value> = (0..5).map(|_| engine.hear()["id"].take()).collect();
    let order: Vec<&str> =
        ids.iter().filter_map(Value::as_str).filter(|&id| id != "t" && id != "long").collect();
    assert_eq!(order, ["high", "default", "low"]);
}

#[test]
fn a_long_search_reports_on_the_way_and_ends_with_one_answer() {
    for moves in [json!(["@4"]), json!([])] {
        let query = json!({ "id": "1", "moves": moves, "movetime": 400,
            "reportDuringSearchEvery": 0.05 });
        let answers = ask(&[], &[query]);
        let (last, before) = answers.split_last().unwrap();
        assert!(!before.is_empty(), "{answers:?}");
        assert!(before.iter().all(|answer| answer["isDuringSearch"] == json!(true)));
        assert_eq!(last["isDuringSearch"], json!(false));
        let depth = |answer: &Value| answer["depth"].as_u64().unwrap();
        assert!(answers.is_sorted_by_key(depth), "{answers:?}");
    }
    // A search that is over at once has nothing to report on the way.
    let query = json!({ "id": "1", "moves": ["@4"], "depth": 1, "reportDuringSearchEvery": 60 });
    assert_eq!(ask(&[], &[query]).len(), 1);
    // An agent with a limit of its own cannot be cut short.
    let query = json!({ "id": "1", "moves": ["@4"], "agent": "star2:depth=3",
        "reportDuringSearchEvery": 0.01 });
    let [answer] = ask(&[], &[query]).try_into().unwrap();
    assert_eq!(answer["depth"], json!(3));
}

#[test]
fn bytes_of_nonsense_leave_it_answering() {
    let words =
        ["{", "}", "\"id\":", "\"1\"", ",", "\"moves\":", "[", "]", "\"@4\"", "\"depth\":", "1"];
    let mut random = Random::new(11);
    let mut sent = vec![];
    while sent.len() < 300_000 {
        for _ in 0..random.below(12) {
            match random.below(16) {
                0 => sent.extend((0..random.below(20)).map(|_| random.below(256) as u8)),
                n => sent.extend_from_slice(words[n as usize % words.len()].as_bytes()),
            }
        }
        sent.push(b'\n');
    }
    sent.extend(b"\n{\"id\":\"last\",\"depth\":1,\"priority\":-9}\n");
    let mut engine = Engine::new(&["--threads", "2"]);
    let writer = std::thread::scope(|threads| {
        let Engine { input, output, .. } = &mut engine;
        let writer = threads.spawn(move || input.write_all(&sent));
        let lines = output.lines().map(Result::unwrap);
        let mut answers = lines.map(|line| serde_json::from_str::<Value>(&line).unwrap());
        assert!(answers.any(|answer| answer["id"] == json!("last")));
        writer.join().unwrap()
    });
    writer.unwrap();
}
