//! The texts that the arbiter is shown.

use wurfel::Session;
use wurfel_arena::{NextEntry, SessionEntry, SessionEvent, clock_text};
use wurfel_core::{Outcome, Side};

pub const HELP: &str = "\
4 or @4          the roll               c2b2            the move; 4 c2b2 enters both
S124563          a set-up; lot draws one board moves     the board, the legal moves
go, pause WHY    start or stop a clock  clock           both clocks; clock red 3:20 WHY sets one
undo WHY         take an entry back     score log       the match, all entries
resign red       red gives up           flag red        red has lost on time
claim red WHAT   the clocks stop        dismiss WHY     and the game goes on
award red WHY    red is given the game  draw WHY        the game is drawn
next             the next game          quit            leave; the same command goes on
";

/// A side and its player.
pub fn who(session: &dyn Session, side: Side) -> String {
    format!("{} ({})", session.sides()[side], session.name(side))
}

/// The prompt, which says what to enter next.
pub fn prompt(session: &dyn Session) -> String {
    if let Some(claim) = session.claim() {
        return format!("{claim} - award, draw or dismiss: ");
    }
    match session.next_entry() {
        NextEntry::SetUp(side) => format!("set-up of {}: ", who(session, side)),
        NextEntry::Roll(side) => format!("{} rolls: ", who(session, side)),
        NextEntry::Move(side, roll) => format!("{} has {roll} and moves: ", who(session, side)),
        NextEntry::Next => "next, undo or quit: ".to_owned(),
        NextEntry::Nothing => "the match is over, quit or undo: ".to_owned(),
    }
}

/// The board and the roll; empty before the set-ups are known.
pub fn board(session: &dyn Session, colour: bool) -> String {
    let position = session.position();
    position.map_or_else(String::new, |position| position.diagram().text(colour))
}

/// The words that Tab completes: what is wanted next, and the commands.
pub fn words(session: &dyn Session) -> Vec<String> {
    const COMMANDS: [&str; 17] = [
        "help", "board", "moves", "clock", "score", "log", "go", "pause", "undo", "next", "quit",
        "resign", "flag", "claim", "award", "dismiss", "draw",
    ];
    let mut words = session.position().map_or_else(Vec::new, |position| position.moves());
    let sides = session.sides();
    let other = COMMANDS.into_iter().chain(Side::BOTH.map(|side| sides[side]));
    words.extend(other.map(str::to_owned));
    words
}

/// The legal moves for the roll.
pub fn moves(session: &dyn Session) -> String {
    let position = session.position().filter(|position| position.roll().is_some());
    let Some(position) = position else {
        return "moves: expected a roll first".to_owned();
    };
    position.moves().join(" ")
}

/// An announcement, and what the arbiter may do about it.
pub fn warning(warning: &SessionEvent) -> String {
    match warning {
        SessionEvent::Warned { side, seconds: 0 } => {
            format!("{warning}: flag {side} if it has lost, or go on")
        }
        _ => warning.to_string(),
    }
}

/// Both clocks, in a line; empty without clocks.
pub fn clocks(session: &dyn Session, at: u64) -> String {
    let texts = Side::BOTH.map(|side| {
        let left = session.left(side, at)?;
        let runs = if session.running() == Some(side) { " and runs" } else { "" };
        Some(format!("{} {}{runs}", session.sides()[side], clock_text(left)))
    });
    let [Some(first), Some(second)] = texts else { return String::new() };
    let stopped = if session.running().is_none() { ", stopped" } else { "" };
    format!("clocks: {first}, {second}{stopped}\n")
}

/// The number of the game, and the score of the match so far.
pub fn score(session: &dyn Session) -> String {
    let settings = session.settings();
    let [one, other] = &settings.players;
    let points = session.halves().map(points);
    let begins = session.begins();
    let [first, second] = [begins, !begins].map(|side| who(session, side));
    format!(
        "game {} of {}: {first} begins against {second}\n{one} {} : {} {other}\n",
        session.number(),
        settings.games,
        points[0],
        points[1]
    )
}

/// A number of half points, in points.
fn points(halves: u64) -> String {
    let half = if halves % 2 == 1 { "½" } else { "" };
    match halves / 2 {
        0 if halves == 1 => half.to_owned(),
        whole => format!("{whole}{half}"),
    }
}

/// How this game ended; empty while it goes on.
pub fn ending(session: &dyn Session) -> String {
    let Some(ending) = session.ending() else { return String::new() };
    let result = match ending.outcome {
        Outcome::Win(side) => format!("{} wins", who(session, side)),
        Outcome::Draw => "drawn".to_owned(),
    };
    let settings = session.settings();
    let [one, other] = &settings.players;
    let points = session.halves().map(points);
    let number = session.number();
    format!(
        "game {number}: {result}, {}\n{one} {} : {} {other}\n",
        ending.how, points[0], points[1]
    )
}

/// All entries with their times, including those that were taken back. Entries that only say that
/// time has passed are left out, because they mean nothing to people.
pub fn log(session: &dyn Session) -> String {
    let line = |entry: &&SessionEntry| {
        format!("{} {:>8} {}\n", entry.time, clock_text(entry.at as i64), entry.event)
    };
    let log = session.log();
    log.iter().filter(|entry| entry.event != SessionEvent::Tick).map(line).collect()
}

/// A session that an earlier run has left, described in a line.
pub fn left_over(session: &dyn Session) -> String {
    let settings = session.settings();
    let [one, other] = &settings.players;
    let points = session.halves().map(points);
    let last = session.log().last().map_or(settings.begun.as_str(), |entry| entry.time.as_str());
    format!(
        "an unfinished session: {one} {} : {} {other}, game {} of {}, {} entries, the last at {last}\n",
        points[0],
        points[1],
        session.number(),
        settings.games,
        session.log().len()
    )
}
