//! Training a network in processes of its own: a run that is killed at any moment resumes with the
//! same result.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;

use crate::program::{command, wurfel};
use wurfel_core::Random;

/// A run of seconds with everything that a checkpoint must keep: a teacher, positions at rest, an
/// evaluation against opponents, averaged parameters.
const CONFIG: &str = r#"
game = "einstein"
encoding = "ewn-v2"
seed = 5
rounds = 6

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
softness = 0.02
careless = 0.5
outcome_share = 0.2

[self_play]
games = 30
together = 10
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
average = 0.9
augment = true

[evaluation]
every = 60
pairs = 6
simulations = 8
opponents = ["greedy"]
"#;

/// All files of a run without the times in them: the network, the best network, the checkpoint,
/// the charts and the metrics.
fn kept(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let bytes = match name.as_str() {
            "metrics.jsonl" => timeless(&fs::read_to_string(&path).unwrap()).into_bytes(),
            // TensorBoard's file holds the time of each round.
            "events.out.tfevents.wurfel" => vec![],
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
        for name in ["game_seconds", "step_seconds"] {
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

#[test]
fn a_run_that_is_killed_again_and_again_ends_as_one_that_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("config.toml"), CONFIG).unwrap();
    let learn = |out: &str, jobs: &str| {
        let args = ["train", "network", &path("config.toml"), "--out", &path(out), "--jobs", jobs];
        let mut command = command(&args);
        command.env("WURFEL_TABLES", path("tables"));
        command
    };
    assert!(learn("whole", "1").output().unwrap().status.success());
    let parts = PathBuf::from(path("parts"));
    let (mut random, mut kills) = (Random::new(11), 0);
    loop {
        let mut child = learn("parts", "2").spawn().unwrap();
        // A round changes its folder some twenty times, of which some may go unnoticed.
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
            (false, _) => break,
        }
    }
    assert!(learn("parts", "1").output().unwrap().status.success());
    assert!(kept(&parts) == kept(Path::new(&path("whole"))));
}

/// Holds for programs built with and without GPU support, on machines with and without one.
#[test]
fn a_gpu_that_is_not_there_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("config.toml"), CONFIG.replace("rounds = 6", "rounds = 1")).unwrap();
    let (config, out) = (path("config.toml"), path("run"));
    let learn = |of, device| wurfel(&["train", "network", &config, "--out", &out, of, device]);
    for of in ["--learner", "--inference"] {
        learn(of, "tpu").refused("[possible values: cpu, gpu]");
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
    fs::write(path("config.toml"), CONFIG.replace("rounds = 6", "rounds = 4")).unwrap();
    let out = path("run");
    wurfel(&["train", "status", &out]).refused_by_system("config.toml'");
    let args = ["train", "network", &path("config.toml"), "--out", &out, "--jobs", "1"];
    let run = command(&args).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    let told = wurfel(&["train", "status", &out]);
    assert_eq!(told.code, 0, "{}", told.err);
    for words in
        ["round     games", "against greedy", "4 of 4 rounds", "the best network so far is that of"]
    {
        assert!(told.out.contains(words), "{}", told.out);
    }
    let json = wurfel(&["train", "status", &out, "--json"]).json()[0].clone();
    assert_eq!((&json["done"], &json["rounds"]), (&4.into(), &4.into()));
    assert_eq!(json["history"][1]["taught"], true);
    assert_eq!(json["history"][3]["games"], 180);
    let (net, onnx) = (format!("{out}/net.safetensors"), path("net.onnx"));
    let exported = wurfel(&["train", "onnx", &net, "--out", &onnx]);
    assert_eq!((exported.code, exported.out.as_str()), (0, ""), "{}", exported.err);
    // The file is at least as large as its parameters.
    let size = |name: &str| fs::metadata(name).unwrap().len();
    assert!(size(&onnx) > size(&net) * 9 / 10);
    wurfel(&["train", "onnx", &net, "--out", &onnx]).refused("already exists");
    let scaled = path("scaled.safetensors");
    let said = wurfel(&["train", "quantise", &net, "--out", &scaled, "--seed", "3"]);
    assert!(said.code == 0 && said.out.contains("on 2000 positions"), "{} {}", said.out, said.err);
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
