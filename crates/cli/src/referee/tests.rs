//! Sessions in a world in which time passes as a script says.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use wurfel::{Agent, OwnAgent, OwnPlayer, Player, Position, Spec, default_game};
use wurfel_arena::{SessionClock, SessionFile, SessionSettings};
use wurfel_core::{Budget, Decision, Failure, Random};

use super::{Console, Input, Players, Typing, World};

/// Lines, each typed so many seconds after the one before.
struct Script {
    lines: VecDeque<(Duration, String)>,
    now: Duration,
}

impl World for Script {
    fn now(&mut self) -> u64 {
        self.now.as_millis() as u64
    }

    fn date(&mut self) -> String {
        "2026-08-01T14:00:00+08:00".to_owned()
    }

    fn read_input(&mut self, at_most: Duration) -> Input {
        let Some((wait, _)) = self.lines.front_mut() else { return Input::End };
        if *wait > at_most {
            *wait -= at_most;
            self.now += at_most;
            return Input::Nothing;
        }
        self.now += *wait;
        self.lines.pop_front().map_or(Input::End, |(_, line)| Input::Line(line))
    }
}

type Agents = [Option<Box<dyn Agent>>; 2];

/// A match of these agents and people in a world, to its end.
fn play_with(folder: &Path, specs: [Option<&str>; 2], agents: Agents, world: impl World) -> String {
    let path = folder.join("session.jsonl");
    let settings = SessionSettings {
        game: "einstein".to_owned(),
        players: ["Ada", "Blaise"].map(str::to_owned),
        agents: specs.map(|spec| spec.map(str::to_owned)),
        games: 7,
        all: false,
        keep_sides: false,
        clock: Some(SessionClock { total: 240_000, increment: 0, warnings: vec![60, 30, 10] }),
        place: "Beijing".to_owned(),
        event: "2026 CCGC".to_owned(),
        seed: 1,
        begun: "2026-08-01T14:00:00+08:00".to_owned(),
    };
    let (file, session) = match default_game().resume_session(&path).unwrap() {
        Some(entrant) => entrant,
        None => {
            let file = SessionFile::begin(&path, &settings).unwrap();
            (file, default_game().session(settings).unwrap())
        }
    };
    let mut out = vec![];
    let console = Console {
        game: default_game(),
        before: session.at(),
        session,
        file,
        folder: folder.to_owned(),
        players: Players {
            agents,
            budget: Budget { depth: Some(1), ..Budget::default() },
            announced_game: 0,
        },
        world,
        colour: false,
        typing: Typing::default(),
        out: &mut out,
    };
    console.run().unwrap();
    String::from_utf8(out).unwrap()
}

/// Types lines such as `5 go`, which is `go` after five seconds, into a match with these agents.
fn play_lines(folder: &Path, agents: [Option<&str>; 2], lines: &str) -> String {
    let agent = |spec: Option<&str>| -> Option<Box<dyn Agent>> {
        let spec: Spec = spec?.parse().unwrap();
        Some(default_game().agents_of(&spec).unwrap().make())
    };
    let timed = |line: &str| {
        let (seconds, line) = line.trim().split_once(' ').unwrap();
        (Duration::from_secs(seconds.parse().unwrap()), line.to_owned())
    };
    let script = Script { lines: lines.lines().map(timed).collect(), now: Duration::ZERO };
    play_with(folder, agents, agents.map(agent), script)
}

fn has(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let at = rest.find(part).unwrap_or_else(|| panic!("'{part}' is missing in\n{text}"));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn clocks_warn_and_the_arbiter_decides_about_a_loss_on_time() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "1 123456\n1 654321\n1 clock\n30 go\n200 clock\n50 flag blue\n1 flag red\n1 quit";
    let text = play_lines(folder.path(), [None, None], lines);
    has(
        &text,
        &[
            "set-up of red (Ada): ",
            "set-up of blue (Blaise): ",
            "clocks: red 4:00, blue 4:00, stopped\nred (Ada) rolls: ",
            "clocks: red 4:00 and runs, blue 4:00\nred (Ada) rolls: \n",
            "red has 1:00 left\nred (Ada) rolls: clocks: red 0:40 and runs, blue 4:00\n",
            "red has 0:30 left\n",
            "red has 0:10 left\n",
            "the time of red is over: flag red if it has lost, or go on\n",
            "blue has 4:00: expected a clock that is at zero\n",
            "clocks: red -0:11, blue 4:00, stopped\n",
            "game 1: blue (Blaise) wins, red lost on time\nAda 0 : 1 Blaise\nrecord: '",
            "WTN-Ada vs Blaise-后手胜-Beijing 2026.08.01 14_00-2026 CCGC.txt'\n",
        ],
    );
    assert_eq!(text.matches("left\n").count(), 3, "{text}");
    let again = play_lines(folder.path(), [None, None], "1 score\n1 next\n1 quit");
    has(&again, &["next, undo or quit: ", "Ada 0 : 1 Blaise", "game 2 of 7: red (Blaise) begins"]);
}

#[test]
fn what_a_crash_loses_of_a_clock_is_ten_seconds_at_most() {
    let folder = tempfile::tempdir().unwrap();
    // The end of the input is not a crash, but the journal before it has the entries that a crash
    // leaves.
    play_lines(folder.path(), [None, None], "1 123456\n1 654321\n1 go\n95 clock\n");
    let path = folder.path().join("session.jsonl.part");
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert!(lines.last().unwrap().contains("\"left\""), "{text}");
    std::fs::write(&path, lines[..lines.len() - 1].concat()).unwrap();
    let again = play_lines(folder.path(), [None, None], "0 clock\n");
    has(&again, &["clocks: red 2:30 and runs, blue 4:00\n"]);
}

#[test]
fn an_agent_moves_when_its_roll_was_typed_and_waits_while_the_clocks_stand() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "1 lot\n1 lot\n1 3\n1 2\n1 quit";
    let text = play_lines(folder.path(), [None, Some("expecti:depth=1")], lines);
    // Red is a person: its roll waits for a move.
    has(&text, &["red (Ada) has 3 and moves: ", "move '2': expected one of "]);
    let other = tempfile::tempdir().unwrap();
    let lines = "1 lot\n1 lot\n1 3\n1 undo it was a 4\n1 undo it was a 4\n1 4\n1 log\n1 quit";
    let text = play_lines(other.path(), [Some("expecti:depth=1"), None], lines);
    has(
        &text,
        &[
            "red (Ada) plays ",
            "blue (Blaise) rolls: ",
            "taken back: move ",
            "red (Ada) has 3 and moves: ",
            "taken back: roll 3\n",
            "red (Ada) rolls: ",
            "red (Ada) plays ",
            "the entry before was taken back: it was a 4\n",
        ],
    );
}

/// An agent that thinks until it is let go or interrupted, and then makes the first of its moves.
struct Thinker(Arc<AtomicBool>);

impl OwnAgent for Thinker {
    fn begin(&mut self, _: Random) -> Result<(), Failure> {
        Ok(())
    }

    fn decide(
        &mut self,
        position: &Position,
        budget: Budget<'_>,
    ) -> Result<Decision<String>, Failure> {
        while !self.0.swap(false, Ordering::Relaxed) && !budget.stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let mv = position.moves().swap_remove(0);
        Ok(Decision { mv, value: None, exact: false, nodes: 0, depth: 0 })
    }
}

/// What happens at a table at which an agent thinks.
enum Happens {
    Seconds(u64),
    Line(&'static str),
    /// A line, with which the agent is let go.
    Then(&'static str),
    /// The agent is let go.
    Moves,
}

/// A person who is answered while an agent thinks.
struct Watched {
    happens: VecDeque<Happens>,
    now: u64,
    go: Arc<AtomicBool>,
}

impl World for Watched {
    fn now(&mut self) -> u64 {
        1000 * self.now
    }

    fn date(&mut self) -> String {
        "2026-08-01T14:00:00+08:00".to_owned()
    }

    fn answers_meanwhile(&self) -> bool {
        true
    }

    fn read_input(&mut self, _: Duration) -> Input {
        match self.happens.pop_front() {
            None => return Input::End,
            Some(Happens::Line(line)) => return Input::Line(line.to_owned()),
            Some(Happens::Then(line)) => {
                self.go.store(true, Ordering::Relaxed);
                return Input::Line(line.to_owned());
            }
            Some(Happens::Seconds(seconds)) => self.now += seconds,
            Some(Happens::Moves) => {
                self.go.store(true, Ordering::Relaxed);
                // The agent may need some glances before it has moved.
                for _ in 0..100 {
                    self.happens.push_front(Happens::Seconds(0));
                }
            }
        }
        Input::Nothing
    }
}

/// A match in which the first player is an agent.
fn watched(happens: impl IntoIterator<Item = Happens>) -> String {
    let folder = tempfile::tempdir().unwrap();
    let go = Arc::<AtomicBool>::default();
    let thinks = Arc::clone(&go);
    let thinker = OwnPlayer {
        name: "thinker".to_owned(),
        make: Arc::new(move || Box::new(Thinker(Arc::clone(&thinks)))),
    };
    let agent = default_game().agents(&Player::Own(thinker)).unwrap().make();
    let world = Watched { happens: happens.into_iter().collect(), now: 0, go };
    play_with(folder.path(), [Some("greedy"), None], [Some(agent), None], world)
}

#[test]
fn clocks_warn_and_the_arbiter_is_answered_while_an_agent_thinks() {
    use Happens::{Line, Seconds, Then};
    let lines = ["lot", "lot", "3"].map(Line).into_iter();
    let text = watched(lines.chain([
        Seconds(185),
        Line("clock"),
        Line("flag red"),
        Seconds(30),
        Seconds(20),
        // Rolls and moves wait for the move of the agent, and with them whatever comes later.
        Then("5"),
        Line("quit"),
    ]));
    has(
        &text,
        &[
            "red (Ada) thinks",
            "red has 1:00 left",
            "clocks: red 0:55 and runs, blue 4:00\n",
            "red has 0:55: expected a clock that is at zero\n",
            "red has 0:30 left",
            "red has 0:10 left",
            "red (Ada) plays ",
            "clocks: red 0:05, blue 4:00 and runs\n",
            "blue (Blaise) has 5 and moves: ",
        ],
    );
    assert!(!text.contains("expected one of"), "{text}");
}

#[test]
fn what_changes_the_match_interrupts_an_agent() {
    use Happens::{Line, Moves};
    let lines =
        ["lot", "lot", "3", "go", "undo it was a 4", "4", "pause the hall is cleared", "go"];
    let text = watched(lines.map(Line).into_iter().chain([Moves, Line("quit")]));
    has(
        &text,
        &[
            "ply 1: red has rolled 3\n",
            "red (Ada) thinks",
            // What cannot be done does not interrupt it.
            "the clock is running already: expected a roll, a move or pause\n",
            "taken back: roll 3\n",
            "red (Ada) rolls: ",
            "red (Ada) thinks",
            "stopped\n",
            "red (Ada) has 4 and moves: ",
            "red (Ada) thinks",
            "red (Ada) plays ",
        ],
    );
    assert_eq!(text.matches(" plays ").count(), 1, "{text}");
}

#[test]
fn the_arbiter_can_leave_while_an_agent_thinks() {
    let lines = ["lot", "lot", "3", "quit"].map(Happens::Line);
    let text = watched(lines);
    assert!(text.ends_with("red (Ada) thinks; you can type meanwhile\n"), "{text}");
}
