//! What a person at a terminal sees and what a shell reads: colours, progress, completions and
//! the manual. The terminal is one of `script`, which comes with Linux; elsewhere those tests
//! say that they were skipped.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use crate::program::{command, ended, wurfel, wurfel_with};

const POSITION: &str = "ABC2/DE3/F3f/3ed/2cba r 4 1";

#[expect(clippy::print_stderr, reason = "says why it proves nothing")]
fn skipped() {
    eprintln!("skipped: there is no program `script`");
}

/// A command that runs the program on a terminal.
fn script(args: &[&str], settings: &[(&str, &str)]) -> Command {
    let quoted: Vec<String> =
        [env!("CARGO_BIN_EXE_wurfel")].iter().chain(args).map(|word| format!("'{word}'")).collect();
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &quoted.join(" "), "/dev/null"]);
    script.env_remove("NO_COLOR").env("TERM", "xterm").envs(settings.iter().copied());
    script.env("WURFEL_TABLES", concat!(env!("CARGO_TARGET_TMPDIR"), "/tables"));
    script
}

/// What the program shows on a terminal, or `None` where there is none to be had.
fn on_terminal(args: &[&str], settings: &[(&str, &str)]) -> Option<String> {
    let mut script = script(args, settings);
    let session = script.stdin(Stdio::null()).output().ok().filter(|_| cfg!(target_os = "linux"));
    let Some(session) = session else {
        skipped();
        return None;
    };
    assert!(session.status.success(), "{session:?}");
    Some(String::from_utf8(session.stdout).expect("UTF-8"))
}

/// What the program shows on a terminal on which somebody types: each text is waited for, and then
/// the keys beside it are pressed.
fn typed_on_terminal(
    args: &[&str],
    settings: &[(&str, &str)],
    keys: &[(&str, &str)],
) -> Option<String> {
    let mut script = script(args, settings);
    let spawned = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Some(mut child) = spawned.ok().filter(|_| cfg!(target_os = "linux")) else {
        skipped();
        return None;
    };
    let mut typed = child.stdin.take().expect("a pipe");
    let mut output = child.stdout.take().expect("a pipe");
    let (mut shown, mut from) = (String::new(), 0);
    for (text, keys) in keys {
        let at = loop {
            if let Some(at) = shown[from..].find(text) {
                break at;
            }
            let mut bytes = [0; 4096];
            let read = output.read(&mut bytes).expect("it shows something");
            assert!(read > 0, "'{text}' is missing in {shown}");
            shown += &String::from_utf8_lossy(&bytes[..read]);
        };
        from += at + text.len();
        typed.write_all(keys.as_bytes()).expect("it listens");
        typed.flush().expect("it listens");
    }
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("UTF-8");
    assert!(child.wait().expect("it ends").success(), "{shown}{rest}");
    Some(shown + &rest)
}

#[test]
fn lines_are_edited_at_a_terminal() {
    let position = "5/5/2A2/5/a4 r - 1";
    let args = ["play", "--side", "both", "--dice", "typed", "--position", position];
    // Up repeats `moves`, and Tab completes a move. Keys that came before the prompt would be shown
    // by the terminal itself.
    let moves = ("c3d3 c3c2 c3d2", "");
    let keys = [
        ("red rolls: ", "3\r"),
        ("> ", "moves\r"),
        moves,
        ("> ", "\u{1b}[A\r"),
        moves,
        ("> ", "c3c\t\r"),
        ("blue rolls: ", "quit\r"),
    ];
    let Some(shown) = typed_on_terminal(&args, &[], &keys) else { return };
    assert!(!shown.contains("^[[A") && !shown.contains("expected"), "{shown}");
    // A terminal that cannot be drawn over gets no escape sequences.
    let keys = [("red rolls: ", "3\r"), ("> ", "moves\r"), ("c3d3 c3c2 c3d2", "quit\r")];
    let plain = typed_on_terminal(&args, &[("TERM", "dumb")], &keys).expect("a terminal");
    assert!(!plain.contains('\u{1b}'), "{plain}");
}

/// The bar was full before anything was known of the work.
#[test]
fn no_progress_is_shown_before_there_is_any() {
    let solve = ["solve", "5/1B3/2C2/1d3/2cba r"];
    let Some(shown) = on_terminal(&solve, &[]) else { return };
    // Towards the end nothing may be left to wait for, but not before the first move is solved.
    let before = shown.split("1/6").next().unwrap_or_default();
    assert!(!shown.contains("0/0") && !before.contains("left"), "{shown}");
    let shown = on_terminal(&["match", "random", "random", "--pairs", "200"], &[]).expect("one");
    assert!(!shown.contains(" 0/200 pairs, 0s left"), "{shown}");
}

#[test]
fn lists_fit_into_a_narrow_terminal() {
    let listed = |columns: &str| {
        let run = ended(command(&["agents", "champion"]).env("COLUMNS", columns).output().unwrap());
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    let narrow = listed("40");
    assert!(narrow.lines().all(|line| line.chars().count() <= 40), "{narrow}");
    assert!(narrow.contains("\n    depth=  turns to look ahead, 1-64\n"), "{narrow}");
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&narrow), words(&listed("100")));
}

#[test]
fn levels_are_listed_with_their_elo() {
    let run = wurfel(&["agents"]);
    let levels =
        "levels of einstein, for `wurfel play --level`\n    Random  1114 Elo, ± 25: random\n";
    assert!(run.out.contains(levels), "{}", run.out);
    let answer = &wurfel(&["agents", "--game", "dicechess", "--json"]).json()[0];
    assert_eq!(answer["levels"][7]["name"], "Champion");
    assert_eq!(answer["levels"][7]["elo"], 1927);
    let bare = &wurfel(&["agents", "--game", "dicechess-bare", "--json"]).json()[0];
    assert_eq!(bare["levels"][1]["elo"], 1124);
}

#[test]
fn an_agent_says_which_evaluation_it_uses() {
    for (game, agent, evaluation) in [
        ("einstein", "champion", "learned"),
        ("einstein", "star2", "zweistein"),
        ("einstein", "uct", "zweistein"),
        ("dicechess3", "champion", "learned"),
        ("dicechess3", "selective", "learned"),
        ("dicechess", "star2", "linear"),
    ] {
        let run = wurfel(&["agents", agent, "--game", game]);
        let line = format!(
            "    eval=  evaluation at the leaves, one of the game's own; default: {evaluation}\n"
        );
        assert!(run.out.contains(&line), "{game} {agent}: {}", run.out);
        assert!(run.out.contains(&format!("\nevaluations of {game}\n")), "{}", run.out);
        let answer = &wurfel(&["agents", agent, "--game", game, "--json"]).json()[0];
        assert_eq!(answer["agents"][0]["default_evaluation"], evaluation);
    }
    assert!(!wurfel(&["agents", "random"]).out.contains("evaluation"));
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
    for args in [&["analyse", &unrolled, "--time", "1s"][..], &["perft", POSITION, "6"]] {
        let session = if args[0] == "perft" { "counting, " } else { "analysing, " };
        let Some(shown) = on_terminal(args, &[]) else { return };
        // Whoever counts in less than half a second sees nothing of it.
        assert!(args[0] == "perft" || shown.contains(session), "{shown}");
        let plain = on_terminal(args, &[("TERM", "dumb")]).expect("a terminal");
        assert!(!plain.contains(session) && !plain.contains('\u{1b}'), "{plain}");
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
        // Scripts for the other two shells have no values of arguments.
        let has_values = ["bash", "zsh", "fish"].contains(&shell);
        let values = ["einstein-nearest", "hpmcts"].into_iter().filter(|_| has_values);
        for part in [part, "verify-dice", "commitment"].into_iter().chain(values) {
            assert!(run.out.contains(part), "'{part}' is missing for {shell}");
        }
        let checked = Command::new(shell).args(["-n", "/dev/stdin"]).stdin(Stdio::piped()).spawn();
        if let (Ok(mut child), true) = (checked, has_values) {
            let mut input = child.stdin.take().expect("a pipe");
            input.write_all(run.out.as_bytes()).expect("it reads");
            drop(input);
            assert!(child.wait().expect("it ends").success(), "{shell}");
        }
    }
    wurfel(&["completions", "tcsh"]).refused("expected one of bash, elvish");
}

/// A name with blanks was offered as several.
#[test]
fn bash_completes_names_of_files_with_blanks() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("my games (1).jsonl"), "").unwrap();
    fs::write(folder.path().join("wurfel.bash"), wurfel(&["completions", "bash"]).out).unwrap();
    for words in ["match greedy random --out my", "render -o my", "sprt --from my"] {
        let script = format!(
            "source ./wurfel.bash; COMP_WORDS=(wurfel {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _wurfel wurfel my \"${{COMP_WORDS[COMP_CWORD - 1]}}\" 2>/dev/null; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let bash = Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output();
        let Ok(run) = bash else { return };
        assert_eq!(String::from_utf8_lossy(&run.stdout), "my games (1).jsonl\n", "{words}");
    }
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
        .refused("unknown level 'Novice': expected one of Random");
    wurfel(&["play", "--setup", "S1"]).refused("set-up 'S1': expected one such as S");
    wurfel(&["play", "--level", "Expert", "--agent", "random"]).refused("cannot be used with");
    let mut chess = command(&["play", "--game", "dicechess"]);
    let shown = ended(chess.output().unwrap()).out;
    assert!(shown.contains("N a knight"), "{shown}");
}
