//! `wurfel network`: what it shows agrees with the page that specifies it, which `docs/encodings.py`
//! carries out a second time, and with the network files.

use std::fs;
use std::process::Command;

use wurfel_agents::{Catalogued, UseGame, games, with_game};
use wurfel_core::{Random, Situation, draw};
use wurfel_net::{Architecture, Model};

use crate::program::{wurfel, wurfel_with};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/encodings.py");
const POSITION: &str = "ABC2/DE3/F3f/3ed/2cba r 4 1";

/// The encodings of a game, and positions of random games: each before a roll and after it.
struct Positions {
    games: u64,
}

impl UseGame for Positions {
    type Output = (Vec<&'static str>, Vec<String>);

    fn with<G: Catalogued>(self, rules: &G) -> Self::Output {
        let mut lines = vec![];
        for game in 0..self.games {
            let mut random = Random::new(game);
            let mut position = rules.setup(&mut random);
            let mut rest = None;
            while position.outcome().is_none() {
                let roll = rest.unwrap_or_else(|| draw(position.rolls().as_ref(), &mut random));
                let situation = Situation { position: position.clone(), roll: Some(roll) };
                lines.push(situation.to_string());
                if rest.is_none() {
                    lines.push(Situation { roll: None, ..situation }.to_string());
                }
                let mv = *random.pick(position.moves(roll).as_ref());
                rest = position.play(roll, mv);
            }
        }
        (G::ENCODINGS.iter().map(|encode| encode.name()).collect(), lines)
    }
}

/// Runs a script of the documents, if there is a Python.
fn python(args: &[&str], input: &str) -> Option<(i32, String)> {
    use std::io::Write;
    use std::process::Stdio;

    let mut script = Command::new("python3");
    script.arg(SCRIPT).args(args);
    script.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = script.spawn().ok()?;
    // A script that ends at the first difference does not read the rest.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let written = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    Some((output.status.code().unwrap(), written.concat()))
}

#[test]
#[expect(clippy::print_stderr, reason = "says why it proves nothing")]
fn every_encoding_is_what_the_page_says() {
    let mut checked = vec![];
    for game in games() {
        // Other rule sets have the same encodings.
        let games = match game.name {
            "einstein" => 12,
            "dicechess" | "dicechess3" => 3,
            _ => 1,
        };
        let (encodings, lines) = with_game(game.name, Positions { games }).unwrap();
        for encoding in encodings {
            let args =
                ["network", "planes", "-", "--game", game.name, "--encoding", encoding, "--json"];
            let seen = wurfel_with(&args, lines.join("\n"));
            assert_eq!((seen.code, seen.out.lines().count()), (0, lines.len()), "{}", seen.err);
            let Some((code, written)) = python(&[], &seen.out) else {
                eprintln!("skipped: no python3");
                return;
            };
            assert_eq!(code, 0, "{}: {written}", game.name);
            assert!(
                written.starts_with(&format!("{} positions are encoded", lines.len())),
                "{written}"
            );
            // A wrong number is found.
            let wrong = seen.out.replacen("1.0", "0.5", 1);
            assert_eq!(python(&[], &wrong).unwrap().0, 1);
            checked.push(encoding);
        }
    }
    for known in ["ewn-v1", "ewn-v2", "ewn-v3", "dicechess-v1"] {
        assert!(checked.contains(&known), "{known}");
    }
}

/// A file with a network that has learned nothing.
fn network(folder: &std::path::Path) -> String {
    let mut architecture = Architecture::paper(5, 16, 75).with_tower(16, 1, 1);
    architecture.shape.spatial_policy = true;
    let model = Model::new(architecture, "ewn-v3", &mut Random::new(3)).unwrap();
    let path = folder.join("net.safetensors");
    fs::write(&path, model.to_bytes().unwrap()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_network_tells_what_it_is_and_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let net = network(folder.path());
    let info = wurfel(&["network", "info", &net, "--json"]).json()[0].clone();
    assert_eq!(info["encoding"], "ewn-v3");
    assert_eq!(info["games"], serde_json::json!(["einstein", "einstein-nearest"]));
    assert_eq!(info["architecture"]["filters"], 16);
    let text = wurfel(&["network", "info", &net]);
    let checksum = info["checksum"].as_str().unwrap();
    assert!(text.out.contains(checksum) && text.out.contains("spatial_policy    true"));
    if let Some((code, written)) = python(&["checksum", &net], "") {
        assert_eq!((code, written.trim()), (0, checksum));
    }
    let reply = wurfel(&["network", "policy", POSITION, "--net", &net, "--json"]).json()[0].clone();
    assert_eq!(reply["checksum"], info["checksum"]);
    let moves = reply["moves"].as_array().unwrap();
    let number = |entry: &serde_json::Value, name: &str| entry[name].as_f64().unwrap();
    let sum: f64 = moves.iter().map(|mv| number(mv, "logit").exp()).sum();
    for mv in moves {
        assert!((number(mv, "logit").exp() / sum - number(mv, "prior")).abs() < 1e-5, "{reply}");
    }
    let indices = |answer: &serde_json::Value| {
        let pair = |mv: &serde_json::Value| (mv["move"].to_string(), mv["index"].to_string());
        let mut pairs: Vec<_> = answer["moves"].as_array().unwrap().iter().map(pair).collect();
        pairs.sort();
        pairs
    };
    let seen = wurfel(&["network", "planes", POSITION, "--json"]).json()[0].clone();
    assert_eq!(indices(&reply), indices(&seen));
    // Without a file it is the network that ships.
    assert_eq!(wurfel(&["network", "policy", POSITION]).code, 0);
}

/// A network of 5 × 5 squares was sealed as one of chess, and no agent could read the file.
#[test]
fn a_network_that_its_encoding_does_not_fit_is_not_sealed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let model =
        |encoding| Model::new(Architecture::paper(5, 16, 75), encoding, &mut Random::new(3));
    fs::write(path("wrong"), model("dicechess-v1").unwrap().to_bytes().unwrap()).unwrap();
    let written = "not of the expected shape: board, planes and moves are [5, 16, 75], those of \
                dicechess-v1 [8, ";
    wurfel(&["network", "seal", &path("wrong"), "--out", &path("never")]).refused(written);
    assert!(!folder.path().join("never").exists());
    wurfel(&["network", "info", &path("wrong")]).refused(written);
    // An encoding that is not known here may be somebody's own.
    fs::write(path("own"), model("own-v1").unwrap().to_bytes().unwrap()).unwrap();
    assert_eq!(wurfel(&["network", "seal", &path("own"), "--out", &path("sealed")]).code, 0);
}

#[test]
fn a_changed_network_is_sealed() {
    let folder = tempfile::tempdir().unwrap();
    let net = network(folder.path());
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut bytes = fs::read(&net).unwrap();
    let last = bytes.len() - 4;
    bytes[last..].copy_from_slice(&0.5f32.to_le_bytes());
    fs::write(path("changed"), &bytes).unwrap();
    wurfel(&["network", "info", &path("changed")]).refused("its checksum does not agree");
    let sealed = wurfel(&["network", "seal", &path("changed"), "--out", &path("sealed")]);
    assert_eq!((sealed.code, sealed.out.as_str()), (0, ""), "{}", sealed.err);
    let checksum = |name: &str| {
        let info = wurfel(&["network", "info", name, "--json"]).json()[0].clone();
        info["checksum"].as_str().unwrap().to_owned()
    };
    assert_ne!(checksum(&path("sealed")), checksum(&net));
    let like = ["network", "seal", &path("changed"), "--out", &path("alike"), "--like", &net];
    assert_eq!(wurfel(&like).code, 0);
    assert_eq!(checksum(&path("alike")), checksum(&path("sealed")));
    // A file without metadata, and here without any array: a length of two bytes, and an empty object.
    fs::write(path("bare"), b"\x02\0\0\0\0\0\0\0{}").unwrap();
    let bare = ["network", "seal", &path("bare"), "--out", &path("never")];
    wurfel(&bare).refused("no entry `wurfel` (--like FILE takes the encoding and the shape from");
    let like = [&bare[..], &["--like", &net]].concat();
    wurfel(&like).refused("not of the expected shape: it has 0 arrays, not ");
    wurfel(&like).refused(&format!(": expected that of --like '{net}'"));
    let info = wurfel(&["network", "info", &net, "--json"]).json()[0].clone();
    assert_eq!(info["architecture"]["afterstate_value"], false);
    assert!(info["int8_scales"].is_boolean(), "{info}");
    let written = wurfel(&["network", "info", &net]).out;
    assert!(
        written.contains("8-bit scales      ") && written.contains("afterstate_value  false"),
        "{written}"
    );
}

#[test]
fn what_cannot_be_shown_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let net = network(folder.path());
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/einstein-tiny.toml");
    for (args, why) in [
        (vec!["planes", POSITION, "--encoding", "ewn-v9"], "expected ewn-v3, ewn-v2, ewn-v1"),
        (vec!["policy", "ABC2/DE3/F3f/3ed/2cba r - 1", "--net", &net], "expected a roll"),
        (vec!["policy", POSITION, "--game", "dicechess3"], "expected --net FILE"),
        (vec!["info", config], "not a network of this program"),
        (vec!["seal", &net, "--out", &net], "already exists"),
    ] {
        let run = wurfel(&[&["network"], &args[..]].concat());
        assert_eq!(run.code, 2, "{args:?}: {}", run.err);
        assert!(run.err.contains(why), "{args:?}: {}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    }
}
