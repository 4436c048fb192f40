//! An agent inside this program has to share its CPU with another program. Its waits for the CPU do
//! not count as its time; its sleep does.

use std::process::{Child, Command};
use std::time::Duration;
use std::{fs, thread};

use wurfel_arena::{Terms, TimeControl, play_on};
use wurfel_core::{
    Agent, Budget, BySide, Decision, FairDice, Fault, Game, Outcome, Random, Side, Turn,
};
use wurfel_engines::waited_for_cpu;
use wurfel_games::einstein::{Einstein, Move};
use wurfel_search::RandomPlayer;

/// More than the referee forgives.
const LONG: Duration = Duration::from_millis(300);

/// An agent that takes long although its time bound is zero.
struct Slow {
    /// Whether it sleeps, instead of waiting for the CPU.
    sleeps: bool,
}

impl Agent<Einstein> for Slow {
    fn begin(&mut self, _: Random) {}

    fn bounds<'a>(&self, budget: Budget<'a>) -> Budget<'a> {
        Budget { time: Some(Duration::ZERO), ..budget }
    }

    fn decide(&mut self, turn: Turn<'_, Einstein>, _: Budget<'_>) -> Decision<Move> {
        if self.sleeps {
            thread::sleep(LONG);
        } else {
            let before = waited_for_cpu();
            while waited_for_cpu() < before + LONG {}
        }
        Decision { mv: turn.moves().as_ref()[0], value: None, exact: false, nodes: 0, depth: 0 }
    }
}

/// The fault that ends a game in which the slow agent makes two moves, with this clock.
fn fault(sleeps: bool, clock: Option<TimeControl>) -> Option<(Side, Fault)> {
    let (mut slow, mut other) = (Slow { sleeps }, RandomPlayer::new(Random::new(1)));
    let agents: BySide<&mut dyn Agent<Einstein>> = BySide::new(&mut slow, &mut other);
    let adjudicate = &mut |game: &Einstein| (game.ply() > 3).then_some(Outcome::Draw);
    let terms = Terms { budget: Budget::default(), clock, adjudicate };
    let dice = &mut FairDice::new(1);
    let ending = play_on(terms, Einstein::default(), agents, dice, &mut ()).unwrap();
    ending.failure.map(|(side, failure)| (side, failure.fault))
}

/// The number of a CPU that this program may use.
pub fn first_cpu() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let cpus = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    cpus.trim().chars().take_while(char::is_ascii_digit).collect()
}

/// A program that uses all of a CPU that it can get.
pub fn never_resting(cpu: &str) -> Child {
    let command = ["-c", cpu, "sh", "-c", "while :; do :; done"];
    Command::new("taskset").args(command).spawn().unwrap()
}

/// The result of `work` on a thread of the lowest priority, on the same CPU as a program that never rests.
fn starved<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let cpu = first_cpu();
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().unwrap();
        assert!(output.status.success(), "{program} {arguments:?}: {output:?}");
    };
    let mut other = never_resting(&cpu);
    let waits = thread::scope(|scope| {
        let starved = scope.spawn(|| {
            let own = fs::read_link("/proc/thread-self").unwrap();
            let own = own.file_name().unwrap().to_str().unwrap();
            run("taskset", &["-cp", &cpu, own]);
            run("chrt", &["-i", "-p", "0", own]);
            work()
        });
        starved.join()
    });
    other.kill().unwrap();
    other.wait().unwrap();
    waits.unwrap()
}

#[test]
fn an_agent_that_has_no_cpu_does_not_lose_by_that() {
    let (margin, increment) = (LONG / 2, Duration::from_secs(1));
    let clock = TimeControl { total: margin, increment, margin, typical_turns: 15 };
    for clock in [None, Some(clock)] {
        assert_eq!(starved(|| fault(false, clock)), None, "{clock:?}");
        assert_eq!(starved(|| fault(true, clock)), Some((Side::First, Fault::Time)), "{clock:?}");
    }
}
