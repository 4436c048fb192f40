//! Other programs as agents: a zoo of engines that do everything wrong. Each plays a match, which
//! ends with every game lost for the right reason, and nothing of the engine is left behind. What runs
//! is read from `/proc`.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use wurfel_agents::{Spec, build};
use wurfel_arena::{Entrant, Match, MatchError, MatchTally};
use wurfel_core::{Agent, Budget, Fault, Game, Random, Turn};
use wurfel_games::Playable;
use wurfel_games::einstein::Einstein;

use crate::waits::{first_cpu, never_resting};

const GAMES: u64 = 4;

/// What an engine is like that does nothing wrong before its first turn.
const UGI: &str = "echo ugiok";
const READY: &str = "echo readyok";
/// Far from what any machine needs, however busy.
const ENOUGH: &str = "start=100s,time=100s";
/// A time limit that no engine of the zoo meets.
const SHORT: &str = "start=100s,time=20ms,margin=20ms";

/// An engine of the zoo: what it does when it hears `ugi`, `isready` and `go`, the options of its
/// spec, and how it is to lose.
struct Beast {
    name: &'static str,
    ugi: &'static str,
    isready: &'static str,
    go: &'static str,
    options: &'static str,
    fault: Fault,
    reason: &'static str,
}

/// One that misbehaves at its first turn only.
const fn at_go(
    name: &'static str,
    go: &'static str,
    options: &'static str,
    fault: Fault,
    reason: &'static str,
) -> Beast {
    Beast { name, ugi: UGI, isready: READY, go, options, fault, reason }
}

const ZOO: &[Beast] = &[
    at_go("crashes", "exit 3", ENOUGH, Fault::Crash, "it ended with exit code 3"),
    at_go("is killed", "kill -9 $$", ENOUGH, Fault::Crash, "signal 9 ended it"),
    at_go(
        "complains and ends",
        "echo stack overflow >&2; exit 134",
        ENOUGH,
        Fault::Crash,
        "exit code 134; its last words: stack overflow",
    ),
    at_go("closes its output", "exec >&-; sleep 1000", ENOUGH, Fault::Crash, "standard output"),
    at_go(
        "leaves a child that holds the pipes",
        "sleep 1000 & exit 5",
        ENOUGH,
        Fault::Crash,
        "code 5",
    ),
    at_go("hangs", "sleep 1000", SHORT, Fault::Time, "it took more than"),
    at_go("hangs with a child", "sleep 1000 & wait", SHORT, Fault::Time, "it took more than"),
    at_go(
        "hangs and is deaf to signals",
        "trap : TERM INT HUP; while :; do sleep 1000; done",
        SHORT,
        Fault::Time,
        "it took",
    ),
    at_go("talks nonsense for ever", "yes nonsense", SHORT, Fault::Time, "it took"),
    at_go("reports for ever", "yes info depth 1 pv a1a2", SHORT, Fault::Time, "it took"),
    at_go("never ends its line", "yes | tr -d \"\\n\"", SHORT, Fault::Time, "it took"),
    at_go("complains for ever", "yes no >&2", SHORT, Fault::Time, "it took"),
    at_go("sends zeros for ever", "cat /dev/zero", SHORT, Fault::Time, "it took"),
    at_go("sends noise for ever", "cat /dev/urandom", SHORT, Fault::Time, "it took"),
    at_go("names no move", "echo bestmove", ENOUGH, Fault::IllegalMove, "'bestmove' is not legal"),
    at_go(
        "names two moves",
        "echo bestmove a1a2 a2a3",
        ENOUGH,
        Fault::IllegalMove,
        "'bestmove a1a2 a2a3' is not legal",
    ),
    at_go(
        "shouts",
        "echo BESTMOVE a1a2",
        ENOUGH,
        Fault::IllegalMove,
        "'BESTMOVE a1a2' is not legal",
    ),
    at_go(
        "begins with a byte order mark",
        "printf \"\\357\\273\\277bestmove a1a2\\n\"",
        ENOUGH,
        Fault::IllegalMove,
        "'\\u{feff}bestmove a1a2' is not legal",
    ),
    at_go(
        "plays from nowhere and ponders",
        "echo bestmove z9z9 ponder a1a2",
        ENOUGH,
        Fault::IllegalMove,
        "'z9z9' is not legal",
    ),
    at_go("is only ready", "echo readyok", SHORT, Fault::Time, "it took"),
    at_go("plays no move", "echo bestmove 0000", ENOUGH, Fault::IllegalMove, "'0000' is not legal"),
    at_go("plays from nowhere", "echo bestmove z9z9", ENOUGH, Fault::IllegalMove, "'z9z9' is not"),
    at_go("plays a roll", "echo bestmove @4", ENOUGH, Fault::IllegalMove, "'@4' is not legal"),
    at_go(
        "plays bytes",
        "printf \"bestmove \\377\\001\\n\"",
        ENOUGH,
        Fault::IllegalMove,
        "is not legal",
    ),
    at_go(
        "says what it did not understand",
        "echo info string error: what?; echo bestmove 0000",
        ENOUGH,
        Fault::IllegalMove,
        "it said: what?",
    ),
    at_go(
        "shouts and plays wrong",
        "head -c 300000 /dev/zero | tr \"\\0\" x; echo; echo bestmove 0000",
        ENOUGH,
        Fault::IllegalMove,
        "'0000'",
    ),
    Beast {
        name: "plays before it is asked",
        ugi: UGI,
        isready: "echo bestmove z9z9; echo readyok",
        go: "exit 6",
        options: ENOUGH,
        fault: Fault::Crash,
        reason: "exit code 6",
    },
];

/// Engines that do not start: what they do at `ugi` and `isready`, and how that is reported.
const STILLBORN: &[[&str; 4]] = &[
    [":", READY, "start=50ms", "it was not ready in 50ms"],
    [UGI, ":", "start=50ms", "it was not ready in 50ms"],
    ["yes option name x type string default y", READY, "start=50ms", "it was not ready"],
    ["exit 0", READY, ENOUGH, "it ended with exit code 0"],
];

impl Beast {
    /// A script for the shell.
    fn script(&self) -> String {
        let Self { ugi, isready, go, .. } = self;
        format!(
            "while read word rest; do case $word in\nugi) {ugi};;\nisready) {isready};;\n\
             go) {go};;\nesac; done\n"
        )
    }

    fn spec(&self, folder: &Path, more: &str) -> Spec {
        let file = folder.join(self.name.replace(' ', "-"));
        std::fs::write(&file, self.script()).expect("a script");
        format!("cmd:\"sh {}\",{}{more}", file.display(), self.options).parse().expect("a spec")
    }
}

/// The report of a match of an engine against random moves.
fn report(spec: Spec) -> MatchTally {
    let specs = [spec, "random".parse().expect("a spec")];
    let of = Match::new(&Einstein::default(), specs, GAMES / 2, 1).expect("agents");
    of.run(1, None, &mut |_| ()).expect("no file to write")
}

/// Whether a process has `text` in its command line.
fn runs(text: &str) -> bool {
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    let mut lines =
        processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.any(|line| String::from_utf8_lossy(&line).contains(text))
}

#[test]
fn no_beast_of_the_zoo_hangs_a_match_or_wins_a_game() {
    assert!(ZOO.len() >= 20);
    let folder = tempfile::tempdir().unwrap();
    for beast in ZOO {
        let report = report(beast.spec(folder.path(), ""));
        assert!(report.complete, "{}", beast.name);
        assert_eq!((report.score.wins, report.score.losses), (0, GAMES), "{}", beast.name);
        let mut faults = [0; 3];
        faults[beast.fault as usize] = GAMES;
        assert_eq!(report.faults, [faults, [0; 3]], "{}: {:?}", beast.name, report.reasons);
        for reason in &report.reasons[0] {
            assert!(reason.contains(beast.reason), "{}: {reason}", beast.name);
            assert!(!reason.contains('\n'), "{}: {reason:?}", beast.name);
        }
    }
    let left = folder.path().display().to_string();
    assert!(!runs(&left), "an engine is left in {left}");
}

/// Nothing that is left of an engine may go on, in particular not its children.
#[test]
fn children_of_engines_are_gone_with_them() {
    // A number of seconds that nothing else sleeps.
    const MARK: &str = "86399.271828";
    let folder = tempfile::tempdir().unwrap();
    let sleep: &'static str = "sleep 86399.271828 & sleep 86399.271828";
    let beast = at_go("has children", sleep, SHORT, Fault::Time, "");
    assert_eq!(report(beast.spec(folder.path(), "")).score.losses, GAMES);
    // An orphan gets a signal to end and needs a moment for that.
    while runs(MARK) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A match of an engine that at each start appends a line to the file `starts` beside its script,
/// against random moves.
fn started(folder: &Path, script: &str, pairs: u64) -> (Result<MatchTally, MatchError>, usize) {
    let [file, starts] = ["engine", "starts"].map(|name| folder.join(name));
    let _ = std::fs::remove_file(&starts);
    let (starts, lines) = (starts.display(), "while read word rest; do case $word in\n");
    std::fs::write(
        &file,
        format!("echo >>{starts}\nn=$(wc -l <{starts})\n{lines}{script}\nesac; done"),
    )
    .unwrap();
    let (one, random) = (format!("cmd:\"sh {}\",start=100s,retry=1ms", file.display()), "random");
    let specs = [one, random.to_owned()].map(|spec| spec.parse().unwrap());
    let report =
        Match::new(&Einstein::default(), specs, pairs, 1).unwrap().run(1, None, &mut |_| ());
    (report, std::fs::read_to_string(starts.to_string()).unwrap().lines().count())
}

/// An engine that was short of memory for a few starts forfeited half of a match, and the rest of it
/// was printed as strength.
#[test]
fn an_engine_that_fails_some_starts_is_started_again_and_forfeits_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // It ends after each game, and its third to eighth starts fail.
    let script = "ugi) if [ $n -ge 3 ] && [ $n -le 8 ]; then exit 1; fi; echo ugiok;;\n\
                  isready) echo readyok;;\ngo) exit 3;;";
    let (report, starts) = started(folder.path(), script, 3);
    let report = report.unwrap();
    assert!(report.complete);
    // Each game is lost by what the engine does in it, and six more starts were needed.
    assert_eq!((report.faults[0], starts), ([6, 0, 0], 12));
    assert!(report.reasons[0].iter().all(|reason| reason.contains("code 3")), "{report:?}");
}

#[test]
fn a_match_ends_when_an_engine_does_not_start_any_more() {
    let folder = tempfile::tempdir().unwrap();
    let script = "ugi) if [ $n -ge 4 ]; then echo no memory >&2; exit 1; fi; echo ugiok;;\n\
                  isready) echo readyok;;\ngo) exit 3;;";
    let (ended, starts) = started(folder.path(), script, 100);
    let Err(MatchError::GivenUp(given_up)) = ended else { panic!("{ended:?}") };
    let (reason, report) = (given_up.reason.to_string(), given_up.report);
    let message = "did not start: it ended with exit code 1; its last words: no memory";
    assert!(reason.contains(message), "{reason}");
    // The game after the first pair did not end, nor is any other lost.
    assert_eq!((report.score.games(), report.faults[0], report.complete), (2, [2, 0, 0], false));
    assert_eq!(starts, 3 + 9);
}

#[test]
fn an_engine_that_never_starts_loses_no_game() {
    let folder = tempfile::tempdir().unwrap();
    for (number, &[ugi, isready, options, message]) in (0..).zip(STILLBORN) {
        let name = ["one", "two", "three", "four"][number];
        let beast = Beast { ugi, isready, ..at_go(name, ":", options, Fault::Crash, message) };
        let specs = [beast.spec(folder.path(), ",retry=1ms"), "random".parse().unwrap()];
        let of = Match::new(&Einstein::default(), specs, 1, 1).unwrap();
        let tried = of.entrants[0].try_start().unwrap_err().to_string();
        assert!(tried.contains(message) && !tried.contains('\n'), "{tried}");
        let Err(MatchError::GivenUp(given_up)) = of.run(1, None, &mut |_| ()) else {
            panic!("{message}")
        };
        assert!(given_up.to_string().contains(message), "{given_up}");
        assert_eq!(given_up.report.score.games(), 0);
    }
    let left = folder.path().display().to_string();
    assert!(!runs(&left), "an engine is left in {left}");
}

/// Whoever stops a match waits neither for the pauses between starts nor for a program that thinks.
#[test]
fn a_match_that_is_stopped_waits_for_no_program() {
    static STOP: AtomicBool = AtomicBool::new(true);
    let budget = Budget { stop: Some(&STOP), ..Budget::default() };
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("engine");
    let text = "while read word rest; do case $word in get) sleep 1000;; *) echo 1;; esac; done";
    std::fs::write(&script, text).unwrap();
    let thinks = format!("cmd:\"sh {}\",protocol=course,start=100s", script.display());
    for spec in ["cmd:\"false\",retry=1000s", &thinks] {
        let specs = [spec, "random"].map(|spec| spec.parse().unwrap());
        let arranged = Match { budget, ..Match::new(&Einstein::default(), specs, 1, 1).unwrap() };
        let report = arranged.run(1, None, &mut |_| ()).unwrap();
        assert_eq!((report.score.games(), report.complete), (0, false), "{spec}");
    }
}

/// A misspelt option was sent to a program that did not know it, without a message.
#[test]
fn an_option_that_a_program_does_not_offer_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("engine");
    let options =
        "option name Hash type spin default 1 min 1 max 9\necho option name Own Book type check";
    let text = format!(
        "while read word rest; do case $word in ugi) echo {options}; echo ugiok;; esac; done"
    );
    std::fs::write(&script, text.replace('\n', ";")).unwrap();
    let refused = |option: &str| {
        let spec: Spec =
            format!("cmd:\"sh {}\",start=100s,{option}", script.display()).parse().unwrap();
        let error = Entrant::new(&Einstein::default(), spec).err();
        error.map_or_else(String::new, |error| error.to_string())
    };
    assert_eq!(refused("option.hash=3,option.Own Book=true"), "");
    let error = refused("option.Hahs=7");
    assert!(error.ends_with("unknown option 'Hahs': did you mean 'Hash'?"), "{error}");
    let error = refused("option.seed=7");
    assert!(
        error.contains("option.seed=7: expected none, because each game gets a seed"),
        "{error}"
    );
}

/// The answer of a program of course cups to `ini` was ignored, and it played set-ups that were drawn.
#[test]
fn a_program_of_course_cups_chooses_what_it_answers() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("engine");
    let chosen = |red: &str, blue: &str| -> Result<String, String> {
        let words = format!(
            "board_setting) echo 1;;\nini) case $rest in R) echo {red};; *) echo {blue};; esac;;"
        );
        let text = format!("while read word rest; do case $word in\n{words}\nesac; done");
        std::fs::write(&script, text).unwrap();
        let spec = format!("cmd:\"sh {}\",protocol=course,start=100s", script.display());
        let entrant = Entrant::new(&Einstein::default(), spec.parse().unwrap()).unwrap();
        let chosen = entrant.choose(1, Budget::default(), 1).map_err(|error| error.to_string())?;
        Ok(Einstein::default().start(chosen.map(Option::unwrap)).to_string())
    };
    let blue = "E5 E4 E3 D5 D4 C5";
    let start = chosen("A1 A2 A3 B1 b2 C1", blue);
    assert_eq!(start, Ok("ADF2/BE3/C3c/3eb/2fda r - 1".to_owned()));
    for (red, problem) in [
        ("A1 A2 A3 B1 B2 B2", "'A1 A2 A3 B1 B2 B2': expected the six squares of its own corner"),
        (blue, "'E5 E4 E3 D5 D4 C5': expected the six squares of its own corner"),
        ("A1 A2", "'A1 A2': expected the squares of six cubes"),
    ] {
        let error = chosen(red, blue).unwrap_err();
        assert!(error.contains(problem), "{error}");
    }
}

/// Two ways to take long: sleeping and working. The match forgives its own delay in looking at a
/// program, so the sleep is longer than that delay on a busy machine.
const SLEEPS: &str = "sleep 0.8";
const WORKS: &str = "n=0; while [ $n -lt 200000 ]; do n=$((n+1)); done";

/// An agent whose program is run by `runner` and does `go` before each move.
fn agent_of(folder: &Path, runner: &str, go: &str, options: &str) -> Box<dyn Agent<Einstein>> {
    let script = folder.join(format!("engine-{}", go.len()));
    let words =
        format!("ugi) echo ugiok;;\nisready) echo readyok;;\ngo) {go}; echo bestmove a4b4;;");
    std::fs::write(&script, format!("while read word rest; do case $word in\n{words}\nesac; done"))
        .expect("a script");
    let spec = format!("cmd:\"{runner} sh {}\",start=100s,{options}", script.display());
    build(&Einstein::default(), &spec.parse().expect("a spec")).expect("an agent")()
}

/// An agent whose program sleeps before each move, and the file in which it notes what it was asked.
fn slow(folder: &Path, options: &str) -> (Box<dyn Agent<Einstein>>, PathBuf) {
    let log = folder.join("asked");
    let go = format!("{SLEEPS}; echo go $rest >>{}", log.display());
    (agent_of(folder, "", &go, options), log)
}

/// The faults of two moves of that program.
fn two_moves(agent: &mut dyn Agent<Einstein>) -> [Option<Fault>; 2] {
    two_moves_within(agent, Budget::default())
}

fn two_moves_within(agent: &mut dyn Agent<Einstein>, budget: Budget<'_>) -> [Option<Fault>; 2] {
    let position = Einstein::default();
    let roll = position.rolls()[3].item;
    agent.begin(Random::new(1));
    [0, 1].map(|_| {
        agent.decide(Turn { position: &position, roll }, budget);
        agent.failure().map(|failure| failure.fault)
    })
}

#[test]
fn whoever_oversteps_time_and_margin_loses_and_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let late = Some(Fault::Time);
    for (options, expected) in [
        // Bounds that the program meets on any machine, and bounds that it meets on none.
        ("time=100s,margin=1ms", [None, None]),
        ("time=1ms,margin=100s", [None, None]),
        ("time=20ms,margin=20ms", [late, late]),
        ("depth=3,patience=100s,margin=1ms", [None, None]),
        ("depth=3,patience=20ms,margin=20ms", [late, late]),
        ("total=200s,margin=1ms", [None, None]),
        ("total=20ms,margin=20ms", [late, late]),
        ("total=20ms,inc=100s,margin=20ms", [late, late]),
        // The clock is used up by the first move, and the margin is for each move.
        ("total=1ms,margin=100s", [None, None]),
        ("total=1ms,inc=1ms,margin=100s", [None, None]),
        // The shorter of two bounds counts.
        ("total=100s,time=20ms,margin=20ms", [late, late]),
        ("total=20ms,time=100s,margin=20ms", [late, late]),
    ] {
        for first in [SLEEPS, WORKS] {
            let mut agent = agent_of(folder.path(), "", first, options);
            assert_eq!(two_moves(&mut *agent), expected, "{options} {first}");
        }
    }
}

/// The program has to share its CPU with one that leaves it little. Its waits for the CPU do not count as its
/// time; its sleep does.
#[test]
fn a_program_that_has_no_cpu_does_not_lose_by_that() {
    let folder = tempfile::tempdir().unwrap();
    let cpu = first_cpu();
    let last = format!("taskset -c {cpu} chrt -i 0");
    let options = "time=20ms,margin=20ms";
    let mut agent = agent_of(folder.path(), &last, ":", options);
    let mut sleeper = agent_of(folder.path(), &last, SLEEPS, options);
    agent.begin(Random::new(1));
    sleeper.begin(Random::new(1));
    let mut other = never_resting(&cpu);
    let position = Einstein::default();
    let turn = Turn { position: &position, roll: position.rolls()[3].item };
    let mut failure = None;
    while failure.is_none() && agent.waited().unwrap() < Duration::from_millis(40) {
        agent.decide(turn, Budget::default());
        failure = agent.failure();
    }
    sleeper.decide(turn, Budget::default());
    let overslept = sleeper.failure().map(|failure| failure.fault);
    other.kill().unwrap();
    other.wait().unwrap();
    assert_eq!(failure, None);
    assert_eq!(overslept, Some(Fault::Time));
}

/// A healthy program was given up on a busy machine, because the time for its start ran by the wall clock. Its
/// waits for a CPU do not count as its time; its sleep does.
#[test]
fn a_program_that_has_no_cpu_may_take_longer_to_start() {
    let folder = tempfile::tempdir().unwrap();
    let cpu = first_cpu();
    let mut other = never_resting(&cpu);
    let works = "n=0; while [ $n -lt 5000 ]; do n=$((n+1)); done";
    let faults = [("works", works), ("sleeps", "sleep 3")].map(|(name, at_start)| {
        let script = folder.path().join(name);
        let words = format!(
            "ugi) {at_start}; echo ugiok;;\nisready) echo readyok;;\ngo) echo bestmove a4b4;;"
        );
        let text = format!("while read word rest; do case $word in\n{words}\nesac; done");
        std::fs::write(&script, text).unwrap();
        let shell = format!("taskset -c {cpu} chrt -i 0 sh {}", script.display());
        let spec = format!("cmd:\"{shell}\",start=500ms,time=100s");
        let mut agent = build(&Einstein::default(), &spec.parse().unwrap()).unwrap()();
        two_moves(&mut *agent)[0]
    });
    other.kill().unwrap();
    other.wait().unwrap();
    assert_eq!(faults, [None, Some(Fault::Time)]);
}

#[test]
fn a_program_is_told_what_is_left_on_its_clock() {
    let folder = tempfile::tempdir().unwrap();
    let (mut agent, log) = slow(folder.path(), "total=50s,inc=2s,margin=100s");
    assert_eq!(two_moves(&mut *agent), [None, None]);
    assert_eq!(two_moves(&mut *agent), [None, None]);
    let lines = std::fs::read_to_string(log).unwrap();
    let left: Vec<u64> = lines
        .lines()
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let ["go", "p1time", left, "p2time", same, "p1inc", "2000", "p2inc", "2000"] =
                words[..]
            else {
                panic!("{line}")
            };
            assert_eq!(left, same);
            left.parse().unwrap()
        })
        .collect();
    // A new game has a new clock. The sleep was taken from it, less the delay of a late look: an
    // answer that is found late counts as found when the look was due.
    let [first, second, anew, again] = left[..] else { panic!("{lines}") };
    assert_eq!([first, anew], [50_000; 2]);
    assert!(second <= 51_400 && again <= 51_400, "{lines}");
}

/// The share of a match's clock is advice and no bound, but the bounds in a program's own spec hold.
#[test]
fn a_share_of_the_clock_of_a_match_may_be_overstepped() {
    let folder = tempfile::tempdir().unwrap();
    let [share, clock] = [20, 100_000].map(|time| Some(Duration::from_millis(time)));
    let budget = Budget { time: share, deadline: clock, ..Budget::default() };
    let late = Some(Fault::Time);
    for (options, budget, expected) in [
        ("margin=20ms", budget, [None, None]),
        ("margin=20ms", Budget { deadline: share, ..budget }, [late, late]),
        ("margin=20ms", Budget { deadline: None, ..budget }, [late, late]),
        ("margin=20ms,time=20ms", budget, [late, late]),
        ("margin=20ms,total=20ms", budget, [late, late]),
        ("margin=20ms,total=100s", budget, [None, None]),
    ] {
        let (mut agent, _) = slow(folder.path(), options);
        assert_eq!(two_moves_within(&mut *agent, budget), expected, "{options}");
    }
}

/// Its start and its greeting are over before any clock runs.
#[test]
fn a_program_starts_when_its_game_begins() {
    let folder = tempfile::tempdir().unwrap();
    let [script, ready] = ["ready", "told"].map(|name| folder.path().join(name));
    let words = format!("ugi) echo ugiok;;\nisready) echo >>{}; echo readyok;;", ready.display());
    std::fs::write(&script, format!("while read word; do case $word in\n{words}\nesac; done"))
        .unwrap();
    let spec = format!("cmd:\"sh {}\",start=100s", script.display());
    let mut agent = build(&Einstein::default(), &spec.parse().unwrap()).unwrap()();
    for game in 0..2 {
        agent.begin(Random::new(game));
        // Once after its introduction, and once for each game.
        assert_eq!(std::fs::read(&ready).unwrap().len() as u64, 2 + game);
    }
}
