//! When the system refuses something, every command ends with exit code 1 and one line. No test
//! relies on permissions, because the superuser, who may run them, has all of them.

#![cfg(unix)]

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::program::{Run, command, ended, wurfel};
use serde_json::json;

const POSITION: &str = "5/5/2C2/5/2cba r 4 1";

/// The words of a command line, in which `{D}` stands for a folder and `_` for a space.
fn words(line: &str, folder: &str) -> Vec<String> {
    let word = |word: &str| word.replace('_', " ").replace("{D}", folder);
    line.split(' ').map(word).collect()
}

fn is_refused(run: &Run, line: &str) {
    assert_eq!((run.code, run.err.lines().count()), (1, 1), "{line}: {}{}", run.out, run.err);
}

#[test]
fn an_output_that_takes_nothing_is_refused() {
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    let lines = [
        &["moves", POSITION][..],
        &["analyse", POSITION, "--depth", "2", "--json"],
        &["match", "random", "random", "--pairs", "1"],
        &["tournament", "random", "greedy", "--pairs", "1", "--json"],
        &["rollout", "5/5/2C2/5/2cba r - 1", "--games", "60"],
        &["perft", "2"],
        &["games"],
        &["agents", "--json"],
        &["--version"],
        &["convert", "@4 a4b4 @1 e1e2", "--to", "jsonl"],
        &["review", "@4 a4b4 @1 e1e2", "--depth", "1"],
        &["positions", "--pieces", "4", "--count", "2"],
    ];
    for args in lines {
        let output = command(args).stdout(full.try_clone().unwrap()).output().unwrap();
        is_refused(&ended(output), &args.join(" "));
    }
}

/// Commands that write files, each within a folder {D}.
const WRITERS: [&str; 9] = [
    "match random random --pairs 50 --out {D}/games.jsonl",
    "tournament random greedy --pairs 2 --out {D}/table.jsonl",
    "train positions {D}/first.tsv --games 300 --depth 1",
    "train values --out {D}/first.values --games 50",
    "train network CONFIG --out {D}/run",
    "tables build --pieces 3 --dir {D}/tables",
    "convert GAMES --to jsonl --out {D}/again.jsonl",
    "render 5/5/2C2/5/2cba_r -o {D}/picture.svg",
    "serve --port 0 --data {D}/data",
];

/// One of [`WRITERS`], with the files that it reads written into a folder.
fn line_in(folder: &Path, line: &str) -> String {
    let games = folder.join("games.txt");
    let config = folder.join("config.toml");
    fs::write(&games, "@4 a4b4 @1 e1e2 @3 c5d4\n\n".repeat(20)).unwrap();
    fs::write(&config, include_str!("../../../../configs/einstein-tiny.toml")).unwrap();
    let line = line.replace("GAMES", games.to_str().unwrap());
    line.replace("CONFIG", config.to_str().unwrap())
}

#[test]
fn a_folder_that_is_none_is_refused() {
    for line in WRITERS {
        let folder = tempfile::tempdir().unwrap();
        let line = line_in(folder.path(), line);
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        for place in [file.to_str().unwrap(), "/proc/self"] {
            let args = words(&line, place);
            let run = wurfel(&args.iter().map(String::as_str).collect::<Vec<_>>());
            is_refused(&run, &line);
        }
    }
}

/// Runs the program as if the disk were full: no file may be larger than half a kilobyte.
fn on_a_full_disk(args: &[String]) -> Run {
    let limited = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_wurfel")])
        .args(args)
        .stdin(Stdio::null())
        .output();
    ended(output.unwrap())
}

#[test]
fn a_full_disk_is_refused_and_the_same_command_goes_on_later() {
    for line in WRITERS.into_iter().filter(|line| !line.starts_with("tournament")) {
        let folder = tempfile::tempdir().unwrap();
        let line = line_in(folder.path(), line);
        let place = folder.path().join("place");
        fs::create_dir(&place).unwrap();
        let args = words(&line, place.to_str().unwrap());
        is_refused(&on_a_full_disk(&args), &line);
        // These two would take too long.
        if !line.starts_with("serve") && !line.starts_with("train network") {
            let run = wurfel(&args.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(run.code, 0, "{line}: {}", run.err);
            let left = fs::read_dir(&place).unwrap().flatten();
            let left = left.filter(|entry| entry.path().extension().is_some_and(|e| e == "part"));
            assert_eq!(left.count(), 0, "{line}");
        }
    }
}

#[test]
fn a_text_that_is_none_is_bad_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("noise");
    fs::write(&path, [0x61, 0xff, 0xff, 0xc3]).unwrap();
    let (path, out) = (path.to_str().unwrap(), folder.path().join("out"));
    let out = ["--out", out.to_str().unwrap()];
    for args in [&["train", "network", path][..], &["train", "fit", path]] {
        wurfel(&[args, &out].concat()).refused("UTF-8");
    }
}

#[test]
fn two_runs_in_one_folder_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.toml");
    fs::write(&config, include_str!("../../../../configs/einstein-tiny.toml")).unwrap();
    let out = folder.path().join("run");
    fs::create_dir(&out).unwrap();
    let lock = File::create(out.join("lock")).unwrap();
    lock.lock().unwrap();
    let args = ["train", "network", config.to_str().unwrap(), "--out", out.to_str().unwrap()];
    wurfel(&args).refused("run' is in use by another program");
}

/// A file of 81 kB made the program reserve 8 GB for the network that its header describes.
#[test]
fn a_file_gets_no_more_memory_than_it_has_numbers() {
    let architecture = json!({
        "board": 8, "planes": 1024, "moves": 4096, "filters": 1024, "convolutions": 64,
        "blocks": 64, "policy_channels": 4, "value_channels": 2, "value_hidden": 64,
    });
    let card = json!({
        "format": 1, "architecture": architecture, "encoding": "ewn-v3", "checksum": "0",
    });
    let mut header = json!({ "__metadata__": { "wurfel": card.to_string() } });
    // As many arrays as the network needs: five for each convolution, and 16 for the heads.
    for number in 0..5 * (64 + 2 * 64) + 16 {
        let nothing = json!({ "dtype": "F32", "shape": [0], "data_offsets": [0, 0] });
        header[format!("array.{number}")] = nothing;
    }
    let header = header.to_string();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    let bytes = [&(header.len() as u64).to_le_bytes(), header.as_bytes()].concat();
    fs::write(&path, bytes).unwrap();
    let agent = format!("alphazero:net={}", path.display());
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 4000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_wurfel")])
        .args(["analyse", POSITION, "--nodes", "10", "--agent", &agent])
        .output();
    ended(output.unwrap()).refused("tower.0.conv.weight: no such array");
}

/// A move list that was wrong in its second word was split into all of its words first, which took
/// seventeen times as much memory as the text.
#[test]
fn a_long_move_list_gets_no_memory_for_words_that_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.txt");
    fs::write(&path, "@4 a4b4\nx ".to_owned() + &"a ".repeat(20_000_000)).unwrap();
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 600000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_wurfel")])
        .args(["convert", path.to_str().unwrap(), "--to", "moves"])
        .output();
    ended(output.unwrap()).refused("line 2, column 1: move 'x': expected a roll, as in @4");
}

/// Runs the program in an empty folder, for somebody with this home directory.
fn at_home(home: &Path, args: &[&str]) -> (Run, usize) {
    let here = tempfile::tempdir().unwrap();
    let mut run = command(args);
    run.env_remove("WURFEL_TABLES").env_remove("XDG_DATA_HOME").env("HOME", home);
    let run = ended(run.current_dir(here.path()).output().unwrap());
    (run, fs::read_dir(here.path()).unwrap().count())
}

/// An empty `HOME` led to the home that the system has on record, and a relative one into the
/// folder in which the program was started.
#[test]
fn nothing_is_written_to_a_home_that_nobody_has_named() {
    for home in ["", "here"].map(Path::new) {
        for args in [&["serve", "--port", "0"][..], &["tables", "build", "--pieces", "2"]] {
            let (run, written) = at_home(home, args);
            run.refused_by_system("HOME names no folder: expected a home directory");
            assert_eq!(written, 0, "{home:?} {args:?}");
        }
    }
}

/// Two pieces need no tables, and other searches to the end of the game only take longer.
#[test]
fn a_search_goes_on_without_tables_where_the_system_refuses_their_folder() {
    let regret = ["regret", "greedy", "--pieces", "2", "--positions", "20", "--json"];
    let solve = ["solve", "5/5/2C2/5/2c2 r 3", "--json"];
    let lost = |run: &Run| run.json()[0]["regret"].as_f64().unwrap();
    let known = lost(&wurfel(&regret));
    for home in ["", "/proc/self"].map(Path::new) {
        for args in [&regret[..], &solve] {
            let (run, written) = at_home(home, args);
            assert_eq!((run.code, written), (0, 0), "{args:?}: {}", run.err);
            assert!(run.err.starts_with("searching without tables: "), "{}", run.err);
            assert!(args != regret || (lost(&run) - known).abs() < 1e-4, "{}", run.out);
        }
        // Whoever names a folder wants its tables.
        let named = [&regret[..], &["--dir", "/proc/self"]].concat();
        at_home(home, &named).0.refused_by_system("/proc/self");
    }
}
