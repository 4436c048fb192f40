//! Training a network in processes of its own: a run that is killed at any moment resumes with the
//! same result.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;

use crate::program::{command, wurfel};
use wurfel_core::Random;
use wurfel_net::{Architecture, Model};

/// A run of seconds with everything that a checkpoint must keep: a network to start from, networks that
/// are kept, a teacher, positions at rest, resignation, games that are held out, a limit to replay, an
/// evaluation with a gate against opponents and exact values, averaged parameters.
const CONFIG: &str = r#"
game = "einstein"
encoding = "ewn-v2"
seed = 5
rounds = 6
start = "START"
keep = { every = 2, last = 1 }

[network]
filters = 16
convolutions = 2
value_hidden = 16
afterstate_value = true

[teacher]
agent = "expecti:depth=1"
rounds = 2
games = 60
scattered = 50
scattered_pieces = 4
temperature = 0.02
epsilon = 0.5
outcome_share = 0.2

[self_play]
games = 30
parallel_games = 10
simulations = 16
full_share = 0.5
quick_simulations = 4
tables = 3
c = 0.75
fpu = 0.15
noise_alpha = 1.0
noise_share = 0.25
temperature = 1.0
temperature_turns = 12
outcome_share = 0.5

[self_play.resign]
below = 0.2
turns = 2
played_on = 0.5

[learning]
buffer = 1500
batch = 128
accumulate = 2
steps = 12
learning_rate = 4e-3
decay = 0.9
period = 250.0
clip = 1.0
l2 = 1e-5
balance = 0.5
window = 2
ema_decay = 0.9
augment = true
held_out = 0.2
max_replay_ratio = 3.0

[evaluation]
every = 60
pairs = 6
simulations = 8
opponents = ["greedy"]
exact_pieces = 3
exact_positions = 30

[evaluation.gate]
test = "sequential"
error = 0.2
"#;

/// Writes the configuration with this many rounds, and the network that it starts from.
fn write_config(folder: &Path, name: &str, rounds: u64) -> String {
    let mut architecture = Architecture::paper(5, 14, 18).with_tower(16, 2, 0);
    architecture.shape.value_hidden = 16;
    architecture.shape.afterstate_value = true;
    let model = Model::new(architecture, "ewn-v2", &mut Random::new(2)).unwrap();
    let start = folder.join("start.safetensors");
    fs::write(&start, model.to_bytes().unwrap()).unwrap();
    let config = CONFIG.replace("rounds = 6", &format!("rounds = {rounds}"));
    let path = folder.join(name);
    fs::write(&path, config.replace("START", start.to_str().unwrap())).unwrap();
    path.to_str().unwrap().to_owned()
}

/// All files of a run without the times in them: the network, the best network, the checkpoint,
/// the charts and the metrics.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let bytes = match name.as_str() {
            "metrics.jsonl" => timeless(&fs::read_to_string(&path).unwrap()).into_bytes(),
            // TensorBoard's file and the table hold the time of each round.
            "events.out.tfevents.wurfel" | "metrics.csv" => vec![],
            _ => fs::read(&path).unwrap(),
        };
        files.insert(name, bytes);
    }
    files
}

/// The lines of metrics without seconds.
fn timeless(lines: &str) -> String {
    let timeless = |line| {
        let mut round: serde_json::Value = serde_json::from_str(line).unwrap();
        for name in ["game_seconds", "step_seconds", "finished"] {
            round.as_object_mut().unwrap().remove(name).unwrap();
        }
        if let Some(evaluation) = round.get_mut("evaluation") {
            evaluation.as_object_mut().unwrap().remove("seconds").unwrap();
        }
        format!("{round}\n")
    };
    lines.lines().map(timeless).collect()
}

/// The files of a folder with their lengths, without those that vanish meanwhile.
fn listing(folder: &Path) -> BTreeSet<(PathBuf, u64)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((entry.path(), entry.metadata().ok()?.len()))).collect()
}

/// Waits until a process has changed its folder `changes` times; false when it ends first.
fn has_changed(child: &mut Child, folder: &Path, mut changes: u32) -> bool {
    let mut before = listing(folder);
    while changes > 0 {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        let now = listing(folder);
        changes -= u32::from(now != before);
        before = now;
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}

/// The killed run has fewer rounds at first, and goes on when it has ended.
#[test]
fn a_run_that_is_killed_again_and_again_ends_as_one_that_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let config = write_config(folder.path(), "config.toml", 6);
    let shorter = write_config(folder.path(), "shorter.toml", 3);
    let learn = |config: &str, out: &str, jobs: &str| {
        let args = ["train", "network", config, "--out", &path(out), "--jobs", jobs];
        let mut command = command(&args);
        command.env("WURFEL_TABLES", path("tables"));
        command
    };
    assert!(learn(&config, "whole", "1").output().unwrap().status.success());
    let parts = PathBuf::from(path("parts"));
    let (mut random, mut kills) = (Random::new(11), 0);
    let mut present = &shorter;
    loop {
        let mut child = learn(present, "parts", "2").spawn().unwrap();
        // A round changes its folder some twenty times, and some of the changes may go unnoticed.
        if has_changed(&mut child, &parts, 1 + random.below(40)) {
            child.kill().unwrap();
        }
        let status = child.wait().unwrap();
        let killed = status.code().is_none();
        assert!(killed || status.success(), "{status}");
        kills += u32::from(killed);
        assert!(kills < 200, "it never ends");
        match (killed, kills) {
            (true, _) => {}
            // The run ended before its changes were noticed: try again.
            (false, 0) => fs::remove_dir_all(&parts).unwrap(),
            (false, _) if present == &shorter => present = &config,
            (false, _) => break,
        }
    }
    assert!(learn(&config, "parts", "1").output().unwrap().status.success());
    let names: Vec<String> = contents(&parts).into_keys().collect();
    for contents in ["net-000000", "net-000002", "net-000004", "net-000006", "start"] {
        assert!(names.contains(&format!("{contents}.safetensors")), "{names:?}");
    }
    assert!(contents(&parts) == contents(Path::new(&path("whole"))));
}

/// Holds for programs built with and without GPU support, on machines with and without one.
#[test]
fn a_gpu_that_is_not_there_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (config, out) = (write_config(folder.path(), "config.toml", 1), path("run"));
    let learn = |of, device| wurfel(&["train", "network", &config, "--out", &out, of, device]);
    for of in ["--learner", "--inference"] {
        learn(of, "tpu").refused("expected one of cpu, gpu");
        if cfg!(not(any(feature = "cuda", feature = "gpu"))) {
            learn(of, "gpu").refused("error: gpu: not in this program: build it with");
        }
    }
    assert_eq!(learn("--inference", "cpu").code, 0);
}

#[test]
fn the_status_of_a_run_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    write_config(folder.path(), "config.toml", 4);
    let out = path("run");
    wurfel(&["train", "status", &out]).refused_by_system("config.toml'");
    let args = ["train", "network", &path("config.toml"), "--out", &out, "--jobs", "1"];
    let run = command(&args).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    let shown = wurfel(&["train", "status", &out]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    for words in [
        "round     games",
        "round     plies",
        "root mean squared error of the values, by pieces on the board: 2: 0.",
        "against greedy",
        ", not corrected for stopping) against best of round ",
        "4 of 4 rounds",
        "the best network so far is that of",
    ] {
        assert!(shown.out.contains(words), "{}", shown.out);
    }
    let json = wurfel(&["train", "status", &out, "--json"]).json()[0].clone();
    assert_eq!((&json["done"], &json["rounds"]), (&4.into(), &4.into()));
    assert_eq!(json["history"][1]["taught"], true);
    assert_eq!(json["history"][3]["games"], 180);
    let measured = json["history"].as_array().unwrap().iter().rev();
    let exact = measured.map(|round| &round["evaluation"]["exact"]).find(|exact| exact.is_array());
    let pieces = |n: usize| (&exact.unwrap()[n]["pieces"], &exact.unwrap()[n]["positions"]);
    assert_eq!((pieces(0), pieces(1)), ((&2.into(), &30.into()), (&3.into(), &30.into())));
    assert!(exact.unwrap()[1]["rms"].as_f64().unwrap() < 0.8, "{exact:?}");
    assert_eq!(json["history"][2]["played"]["games"], 30);
    let (net, onnx) = (format!("{out}/net.safetensors"), path("net.onnx"));
    let exported = wurfel(&["train", "onnx", &net, "--out", &onnx]);
    assert_eq!((exported.code, exported.out.as_str()), (0, ""), "{}", exported.err);
    // The file is at least as large as its parameters.
    let size = |name: &str| fs::metadata(name).unwrap().len();
    assert!(size(&onnx) > size(&net) * 9 / 10);
    wurfel(&["train", "onnx", &net, "--out", &onnx]).refused("already exists");
    let scaled = path("scaled.safetensors");
    let quantised = wurfel(&["train", "quantise", &net, "--out", &scaled, "--seed", "3"]);
    assert!(
        quantised.code == 0 && quantised.out.contains("on 2000 positions"),
        "{} {}",
        quantised.out,
        quantised.err
    );
    wurfel(&["train", "quantise", &net, "--out", &scaled]).refused("already exists");
    let other = path("chess.safetensors");
    wurfel(&["train", "quantise", &net, "--out", &other, "--game", "dicechess"])
        .refused("net.safetensors': not a network of this program: it reads 'ewn-");
    for precision in ["int8", "f32"] {
        let agent = format!("policy:net={scaled},precision={precision}");
        assert_eq!(wurfel(&["match", &agent, "greedy", "--pairs", "2"]).code, 0, "{precision}");
    }
    let [config, other] = [path("config.toml"), path("other.onnx")];
    wurfel(&["train", "onnx", &config, "--out", &other]).refused("config.toml'");
    assert!(!Path::new(&other).exists());
    fs::write(folder.path().join("run/metrics.jsonl"), "nothing\n").unwrap();
    wurfel(&["train", "status", &out]).refused("metrics.jsonl': line 1");
}
