//! Texts from outside are understood wherever they are read, whatever their encoding and whatever the
//! names of their files.

use std::fs;

use crate::program::{command, ended, wurfel, wurfel_with};

const POSITION: &str = "ABC2/DE3/F3f/3ed/2cba r 4 1\n";

/// A text as shells and editors of Windows write it: with a byte order mark, and in UTF-16.
fn as_on_windows(text: &str) -> [Vec<u8>; 3] {
    let wide = |bytes: fn(u16) -> [u8; 2]| {
        std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(bytes).collect()
    };
    [["\u{feff}", text].concat().into(), wide(u16::to_le_bytes), wide(u16::to_be_bytes)]
}

/// A match and the standings of a tournament.
fn files(folder: &std::path::Path) -> [String; 2] {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let [games, cup, description] = ["games.jsonl", "cup.jsonl", "cup.toml"].map(path);
    let run = wurfel(&["match", "greedy", "random", "--pairs", "4", "--out", &games]);
    assert_eq!(run.code, 0, "{}", run.err);
    let text = "game = \"einstein\"\nformat = \"round-robin\"\npairs = 1\n\
        [[participant]]\nname = \"A\"\nagent = \"greedy\"\n[[participant]]\nname = \"B\"\nagent = \"random\"\n";
    fs::write(&description, &as_on_windows(text)[1]).unwrap();
    let run = wurfel(&["tournament", &description, "--out", &cup]);
    assert_eq!(run.code, 0, "{}", run.err);
    [games, cup]
}

/// PowerShell's `>` writes UTF-16, and `review` read it where `ratings` did not.
#[test]
fn every_command_reads_texts_as_windows_writes_them() {
    let folder = tempfile::tempdir().unwrap();
    let [games, cup] = files(folder.path());
    let sprt = ["sprt", "--from", "FILE", "--elo1", "40"];
    let doors: [(&[&str], String); 14] = [
        (&["moves", "-"], POSITION.into()),
        (&["network", "planes", "-", "--json"], POSITION.into()),
        (&["network", "policy", "-"], POSITION.into()),
        (&["engine", "random"], "ugi\nisready\nquit\n".into()),
        (&["engine", "random", "--protocol", "course"], "name\nini R\nexit\n".into()),
        (&["engine", "--protocol", "json"], "{\"id\":\"a\",\"action\":\"query_version\"}\n".into()),
        (&["play", "--agent", "random", "--seed", "1"], "moves\nquit\n".into()),
        (&["ratings", "FILE"], fs::read_to_string(&games).unwrap()),
        (&["ratings", "-"], fs::read_to_string(&games).unwrap()),
        (&["convert", "FILE", "--to", "moves"], fs::read_to_string(&games).unwrap()),
        (&["replay", "-", "--number", "1"], fs::read_to_string(&games).unwrap()),
        (&sprt, fs::read_to_string(&games).unwrap()),
        (&["standings", "FILE"], fs::read_to_string(&cup).unwrap()),
        (&["ratings", "FILE"], fs::read_to_string(&cup).unwrap()),
    ];
    let path = folder.path().join("text");
    for (args, text) in &doors {
        let ask = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            let args: Vec<&str> = args
                .iter()
                .map(|arg| if *arg == "FILE" { path.to_str().unwrap() } else { arg })
                .collect();
            let run = wurfel_with(&args, bytes);
            // The time that a test took.
            let out = run.out.lines().filter(|line| !line.ends_with(" s"));
            (run.code, out.collect::<Vec<_>>().join("\n"), run.err)
        };
        let plain = ask(text.as_bytes());
        assert_eq!(plain.0, 0, "{args:?}: {}{}", plain.1, plain.2);
        for bytes in as_on_windows(text) {
            assert_eq!(ask(&bytes), plain, "{args:?}: {:x?}", &bytes[..4]);
        }
    }
}

/// Five commands refused such names without saying which argument was meant.
#[cfg(unix)]
#[test]
fn names_of_files_need_not_be_utf_8_and_other_arguments_are_named() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir().unwrap();
    let [games, cup] = files(folder.path());
    let odd = folder.path().join(OsStr::from_bytes(b"odd\xff.jsonl"));
    for (args, like) in [
        (&["review", "--depth", "1", "--list"][..], &games),
        (&["convert", "--to", "moves"], &games),
        (&["replay", "--number", "1", "--ply", "1"], &games),
        (&["ratings"], &games),
        (&["sprt", "--elo1", "40", "--from"], &games),
        (&["standings"], &cup),
    ] {
        fs::copy(like, &odd).unwrap();
        let run = ended(command(args).arg(&odd).output().unwrap());
        let plain = ended(command(args).arg(like).output().unwrap());
        // How long it took differs on a busy machine.
        let untimed = |out: &str| -> Vec<String> {
            out.lines().filter(|line| !line.ends_with(" s")).map(str::to_owned).collect()
        };
        let (actual, expected) = (untimed(&run.out), untimed(&plain.out));
        assert_eq!((run.code, actual, run.err), (0, expected, plain.err), "{args:?}");
    }
    let toml = folder.path().join(OsStr::from_bytes(b"odd\xff.toml"));
    fs::copy(folder.path().join("cup.toml"), &toml).unwrap();
    let out = folder.path().join("again.jsonl");
    let run = command(&["tournament"]).arg(&toml).arg("--out").arg(&out).output().unwrap();
    assert_eq!(ended(run).code, 0);
    let agent = OsStr::from_bytes(b"gre\xffedy");
    let run = ended(command(&["match", "random"]).arg(agent).output().unwrap());
    run.refused("argument 'gre\u{fffd}edy': expected text in UTF-8");
}

const RECORD: &str = "#[WTN][甲 R][乙 B][][][];\nR:A5-1;B5-2;C5-3;A4-4;B4-5;A3-6\n\
    B:E3-6;D2-5;E2-4;C1-3;D1-2;E1-1\n1:5;(R5,B3)\n2:3;(B3,C2)\n";

/// `cat *.txt | wurfel review -` read the first record and refused the rest.
#[test]
fn several_records_are_read_one_after_the_other_and_what_is_assumed_is_said() {
    let three = [RECORD, RECORD.trim_end(), RECORD].concat();
    let run = wurfel_with(&["convert", "-", "--to", "moves"], &three);
    assert_eq!((run.code, run.out.matches("@5 b4b3 @3 c1c2").count()), (0, 3), "{}", run.err);
    let run = wurfel_with(&["review", "-", "--list"], &three);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    // Blue has begun, whatever the header says.
    let blue = RECORD.replace("1:5;(R5,B3)\n2:3;(B3,C2)", "1:3;(B3,C2)\n2:5;(R5,B3)");
    let run = wurfel_with(&["convert", "-", "--to", "wtn"], &blue);
    let message = "standard input: line 1, column 1: the header says that R moves first, the moves that B does: assumed B\n";
    assert_eq!((run.code, run.err.as_str()), (0, message), "{}", run.out);
    assert!(run.out.starts_with("#[WTN][乙 B][甲 R]"), "{}", run.out);
    // What nobody can know is refused.
    let unfilled = RECORD.replacen("[]", "[先（后）手胜]", 1);
    wurfel_with(&["convert", "-", "--to", "moves"], &unfilled).refused(
        "line 1, column 18: '先（后）手胜' does not say who has won, and the game is not over",
    );
    let lost = RECORD.replacen("[]", "[先手超时负]", 1);
    let run = wurfel_with(&["convert", "-", "--to", "moves"], &lost);
    assert!(run.out.ends_with(" 0-1\n"), "{}", run.out);
}
