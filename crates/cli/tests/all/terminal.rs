//! What a person at a terminal sees and what a shell reads: colours, progress, completions and
//! the manual. The terminal is one of `script`, which comes with Linux; elsewhere those tests
//! say that they were skipped.

use std::fs;
use std::process::{Command, Stdio};

use crate::program::{command, wurfel, wurfel_with};

const POSITION: &str = "ABC2/DE3/F3f/3ed/2cba r 4 1";

#[expect(clippy::print_stderr, reason = "says why it proves nothing")]
fn skipped() {
    eprintln!("skipped: there is no program `script`");
}

/// What the program shows on a terminal, or `None` where there is none to be had.
fn on_terminal(args: &[&str], settings: &[(&str, &str)]) -> Option<String> {
    let quoted: Vec<String> =
        [env!("CARGO_BIN_EXE_wurfel")].iter().chain(args).map(|word| format!("'{word}'")).collect();
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &quoted.join(" "), "/dev/null"]);
    script.env_remove("NO_COLOR").env("TERM", "xterm").envs(settings.iter().copied());
    script.env("WURFEL_TABLES", concat!(env!("CARGO_TARGET_TMPDIR"), "/tables"));
    let said = script.stdin(Stdio::null()).output().ok().filter(|_| cfg!(target_os = "linux"));
    let Some(said) = said else {
        skipped();
        return None;
    };
    assert!(said.status.success(), "{said:?}");
    Some(String::from_utf8(said.stdout).expect("UTF-8"))
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let coloured = |settings: &[(&str, &str)]| {
        on_terminal(&["render", POSITION], settings).map(|shown| shown.contains('\u{1b}'))
    };
    if coloured(&[]).is_none() {
        return;
    }
    assert_eq!(coloured(&[]), Some(true));
    assert_eq!(coloured(&[("NO_COLOR", "")]), Some(true));
    assert_eq!(coloured(&[("NO_COLOR", "1")]), Some(false));
    assert_eq!(coloured(&[("TERM", "dumb")]), Some(false));
    assert!(!wurfel(&["render", POSITION]).out.contains('\u{1b}'));
}

#[test]
fn long_work_says_for_how_long_it_has_gone_on() {
    let unrolled = POSITION.replace(" 4 1", " - 1");
    for args in [&["analyse", &unrolled, "--time", "2s"][..], &["perft", POSITION, "7"]] {
        let said = if args[0] == "perft" { "counting, " } else { "analysing, " };
        let Some(shown) = on_terminal(args, &[]) else { return };
        // Whoever counts in less than half a second sees nothing of it.
        assert!(args[0] == "perft" || shown.contains(said), "{shown}");
        let plain = on_terminal(args, &[("TERM", "dumb")]).expect("a terminal");
        assert!(!plain.contains(said) && !plain.contains('\u{1b}'), "{plain}");
        assert_eq!(wurfel(args).err, "");
    }
}

#[test]
fn completions_are_read_by_their_shells() {
    for (shell, part) in [
        ("bash", "complete -F _wurfel"),
        ("zsh", "#compdef wurfel"),
        ("fish", "complete -c wurfel"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion"),
    ] {
        let run = wurfel(&["completions", shell]);
        assert_eq!(run.code, 0, "{}", run.err);
        for part in [part, "verify-dice", "commitment"] {
            assert!(run.out.contains(part), "'{part}' is missing for {shell}");
        }
        let checked = Command::new(shell).args(["-n", "/dev/stdin"]).stdin(Stdio::piped()).spawn();
        if let (Ok(mut child), true) = (checked, ["bash", "zsh", "fish"].contains(&shell)) {
            use std::io::Write;
            let mut input = child.stdin.take().expect("a pipe");
            input.write_all(run.out.as_bytes()).expect("it reads");
            drop(input);
            assert!(child.wait().expect("it ends").success(), "{shell}");
        }
    }
    wurfel(&["completions", "tcsh"]).refused("expected one of bash, elvish");
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let folder = tempfile::tempdir().unwrap();
    let man = folder.path().join("share/man1");
    let run = wurfel(&["man", man.to_str().unwrap()]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
    for page in ["wurfel.1", "wurfel-serve.1", "wurfel-match.1", "wurfel-train-network.1"] {
        let text = fs::read_to_string(man.join(page)).expect(page);
        assert!(text.contains(".TH") && text.contains(".SH SYNOPSIS"), "{page}");
    }
    // A file where the folder should be.
    let page = man.join("wurfel.1");
    wurfel(&["man", page.to_str().unwrap()]).refused_by_system("wurfel.1");
}

#[test]
fn one_agent_is_described_by_its_name() {
    let run = wurfel(&["agents", "star2"]);
    assert!(run.out.starts_with("star2\n") && !run.out.contains("star1\n"), "{}", run.out);
    let agents = &wurfel(&["agents", "star2", "--json"]).json()[0]["agents"];
    assert_eq!(agents.as_array().map(Vec::len), Some(1));
    wurfel(&["agents", "star3"]).refused("unknown agent 'star3': did you mean ");
}

#[test]
fn levels_and_set_ups_are_chosen_by_name() {
    let run = wurfel_with(&["play", "--level", "newcomer", "--setup", "S654321"], "board\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("A to F are red's cubes 1 to 6"), "{}", run.out);
    let row = run.out.lines().find(|line| line.starts_with("5 ")).expect("the board");
    let letters: String = row.chars().filter(char::is_ascii_alphabetic).collect();
    assert_eq!(letters, "FED", "{}", run.out);
    wurfel(&["play", "--level", "Novice"])
        .refused("unknown level 'Novice': expected one of By chance");
    wurfel(&["play", "--setup", "S1"]).refused("set-up 'S1': expected one such as S");
    wurfel(&["play", "--level", "Expert", "--agent", "random"]).refused("cannot be used with");
    let mut chess = command(&["play", "--game", "dicechess"]);
    let shown = crate::program::ended(chess.output().unwrap()).out;
    assert!(shown.contains("N a knight"), "{shown}");
}
