//! Matches at a real table: what follows from entries, without a terminal and without a real clock.

use std::fs;
use std::path::Path;

use wurfel_arena::{
    NextEntry, Session, SessionClock, SessionEntry, SessionError, SessionEvent, SessionFile,
    SessionSettings,
};
use wurfel_core::{Budget, Game, Outcome, Random, Side};
use wurfel_games::Playable;
use wurfel_games::dicechess::DiceChess;
use wurfel_games::einstein::Einstein;

fn settings() -> SessionSettings {
    SessionSettings {
        game: "einstein".to_owned(),
        players: ["Ada".to_owned(), "Blaise".to_owned()],
        agents: [None, None],
        games: 7,
        all: false,
        keep_sides: false,
        clock: Some(SessionClock { total: 240_000, increment: 0, warnings: vec![60, 30, 10] }),
        place: "Beijing".to_owned(),
        event: "2026 CCGC".to_owned(),
        seed: 1,
        begun: "2026-08-01T14:00:00+08:00".to_owned(),
    }
}

/// A session whose time passes as a test says.
struct Table {
    session: Session<Einstein>,
    at: u64,
}

impl Table {
    fn new(settings: SessionSettings) -> Self {
        Self { session: Session::new(&Einstein::default(), settings).unwrap(), at: 0 }
    }

    /// A game in which both sides have arranged their pieces.
    fn arranged(settings: SessionSettings) -> Self {
        let mut table = Self::new(settings);
        table.arrange();
        table
    }

    fn entry(&self, event: SessionEvent) -> SessionEntry {
        SessionEntry { at: self.at, time: "2026-08-01T14:00:05+08:00".to_owned(), event }
    }

    fn enter(&mut self, event: SessionEvent) {
        let entry = self.entry(event);
        self.session.apply(entry).unwrap();
    }

    /// The reason why an entry is refused, which changes nothing.
    fn refused(&mut self, event: SessionEvent) -> String {
        let before = format!("{:?}", self.session);
        let entry = self.entry(event);
        let problem = self.session.apply(entry).unwrap_err().to_string();
        assert_eq!(format!("{:?}", self.session), before);
        assert!(!problem.contains('\n'), "{problem}");
        problem
    }

    fn arrange(&mut self) {
        for side in ["red", "blue"] {
            self.enter(SessionEvent::SetUp { side: side.to_owned(), setup: "S123456".to_owned() });
        }
    }

    /// A roll and a move, some seconds after each other.
    fn turn(&mut self, roll: &str, mv: &str, seconds: u64) {
        self.enter(rolled(roll));
        self.at += 1000 * seconds;
        self.enter(moved(mv));
    }

    /// What both sides have left, in seconds.
    fn left(&self) -> [i64; 2] {
        Side::BOTH.map(|side| self.session.left(side, self.at).unwrap() / 1000)
    }
}

fn rolled(roll: &str) -> SessionEvent {
    SessionEvent::Roll { roll: roll.to_owned() }
}

fn moved(mv: &str) -> SessionEvent {
    SessionEvent::Move { mv: mv.to_owned(), by_agent: false }
}

fn undo() -> SessionEvent {
    SessionEvent::Undo { reason: "mistyped".to_owned() }
}

fn award(side: &str) -> SessionEvent {
    SessionEvent::Award { side: side.to_owned(), reason: "no show".to_owned() }
}

fn flag(side: &str) -> SessionEvent {
    SessionEvent::Flag { side: side.to_owned() }
}

#[test]
fn the_clock_of_a_side_runs_from_the_move_of_the_other_one() {
    let mut table = Table::arranged(settings());
    table.at += 50_000;
    assert_eq!(table.left(), [240, 240], "nobody has started a clock");
    table.enter(SessionEvent::Go);
    table.at += 5_000;
    table.turn("4", "a4b3", 10);
    assert_eq!((table.left(), table.session.running()), ([225, 240], Some(Side::Second)));
    table.at += 7_000;
    assert_eq!(table.left(), [225, 233]);
    table.enter(SessionEvent::Pause { reason: String::new() });
    table.at += 100_000;
    table.enter(rolled("1"));
    table.at += 3_000;
    assert_eq!(table.left(), [225, 230]);
    table.enter(SessionEvent::Clock {
        side: "blue".to_owned(),
        left: 100_000,
        reason: "the clock on the table".to_owned(),
    });
    table.at += 1_000;
    assert_eq!(table.left(), [225, 99], "a clock that is set goes on");
}

#[test]
fn an_increment_is_given_after_each_turn() {
    let clock = SessionClock { total: 60_000, increment: 5_000, warnings: vec![] };
    let mut table = Table::arranged(SessionSettings { clock: Some(clock), ..settings() });
    table.turn("4", "a4b3", 10);
    table.turn("1", "e1d1", 2);
    assert_eq!(table.left(), [55, 63]);
}

/// The wrong entry stood for twenty seconds, which no clock is charged for.
#[test]
fn an_undo_gives_back_the_time_since_the_entry_and_stops_the_clocks() {
    let mut table = Table::arranged(settings());
    table.turn("4", "a4b3", 10);
    let position = table.session.game().unwrap().now().to_string();
    table.turn("1", "e1d1", 5);
    table.at += 20_000;
    assert_eq!(table.left(), [210, 235]);
    table.enter(undo());
    assert_eq!((table.left(), table.session.running()), ([230, 235], None));
    assert!(matches!(table.session.next_entry(), NextEntry::Move(Side::Second, _)));
    table.enter(undo());
    assert_eq!(table.session.game().unwrap().now().to_string(), position);
    assert_eq!(table.left(), [230, 240], "nor the time since the roll");
    table.at += 1_000;
    table.turn("2", "d1c1", 5);
    assert_eq!(table.left(), [230, 235]);
    let log: Vec<String> = table.session.log().map(|entry| entry.event.to_string()).collect();
    let undone = log.iter().filter(|event| event.ends_with("taken back: mistyped")).count();
    assert_eq!((undone, log.len()), (2, 10), "{log:?}");
}

#[test]
fn a_loss_on_time_is_decided_by_the_arbiter_alone() {
    let mut table = Table::arranged(settings());
    table.enter(SessionEvent::Go);
    table.at = 239_999;
    assert_eq!(table.refused(flag("red")), "red has 0:01: expected a clock that is at zero");
    table.at = 245_000;
    let warning = table.session.warning(table.at).unwrap();
    assert_eq!(warning, SessionEvent::Warned { side: "red".to_owned(), seconds: 0 });
    table.enter(warning);
    assert_eq!(table.session.warning(table.at), None);
    assert!(table.session.ending().is_none());
    table.turn("4", "a4b3", 0);
    assert_eq!(table.left(), [-5, 240]);
    assert!(table.refused(flag("blue")).starts_with("blue has 4:00"));
    table.enter(flag("red"));
    let ending = table.session.ending().unwrap();
    assert_eq!(ending.outcome, Outcome::Win(Side::Second));
    assert_eq!(ending.how, "red lost on time");
    assert_eq!(table.session.running(), None);
}

#[test]
fn little_time_is_announced_once_for_each_threshold() {
    let mut table = Table::arranged(settings());
    table.enter(SessionEvent::Go);
    let mut warnings = vec![];
    for at in (0..300_000).step_by(100) {
        table.at = at;
        if let Some(warning) = table.session.warning(at) {
            warnings.push((at, warning.to_string()));
            table.enter(warning);
        }
    }
    let texts =
        ["red has 1:00 left", "red has 0:30 left", "red has 0:10 left", "the time of red is over"];
    let times = [180_000, 210_000, 230_000, 240_000];
    let expected: Vec<(u64, String)> =
        times.into_iter().zip(texts.map(ToOwned::to_owned)).collect();
    assert_eq!(warnings, expected);
}

/// All 2⁷ courses of a match against the rule of the championship, written down once more: the first
/// player begins games 1, 4 and 5, and who has four points first has won.
#[test]
fn every_match_of_seven_games_has_the_order_of_the_championship() {
    for course in 0..2_u32.pow(7) {
        let mut table = Table::new(settings());
        let mut points = [0, 0];
        for game in 1..=7 {
            let first = usize::from(![1, 4, 5].contains(&game));
            assert_eq!(table.session.number(), game);
            assert_eq!(table.session.player(Side::First), first);
            assert_eq!(table.session.game().map(|game| game.now().side()), None);
            table.arrange();
            assert_eq!(table.session.game().unwrap().now().side(), Side::First);
            let winner = (course >> (game - 1) & 1) as usize;
            points[winner] += 1;
            table.enter(award(if winner == first { "red" } else { "blue" }));
            assert_eq!(table.session.halves(), points.map(|points| 2 * points));
            if points[winner] == 4 {
                break;
            }
            assert_eq!(table.session.next_entry(), NextEntry::Next);
            table.enter(SessionEvent::Next);
        }
        assert_eq!(table.session.next_entry(), NextEntry::Nothing, "course {course}");
        let problem = table.refused(SessionEvent::Next);
        assert_eq!(problem, "the match is over: expected quit, or undo with a reason");
    }
}

/// The side that begins changes with the player, and the record says so.
#[test]
fn players_may_keep_their_sides() {
    let mut table = Table::new(SessionSettings { keep_sides: true, ..settings() });
    for game in 1..=7 {
        table.arrange();
        let first = if [1, 4, 5].contains(&game) { Side::First } else { Side::Second };
        let start = table.session.game().unwrap();
        assert_eq!(
            (start.now().side(), start.now().ply(), table.session.begins()),
            (first, 1, first)
        );
        assert_eq!(start.players[Side::First], "Ada");
        let is_last = game == 7;
        table.enter(award(if game % 2 == 0 { "red" } else { "blue" }));
        if !is_last {
            table.enter(SessionEvent::Next);
        }
    }
    assert_eq!(table.session.halves(), [6, 8]);
    let game = table.session.game().unwrap();
    let form = Einstein::RECORDS.first().unwrap();
    let text = (form.write)(&game).unwrap();
    assert!(
        text.starts_with("#[WTN][Blaise B][Ada R][先手胜][2026.08.01 14:00 Beijing]"),
        "{text}"
    );
    let again = (form.read)(&text, 1).unwrap().game;
    assert_eq!((again.start(), again.result), (game.start(), game.result));
    let dicechess =
        SessionSettings { game: "dicechess".to_owned(), keep_sides: true, ..settings() };
    let refused = Session::new(&DiceChess::default(), dicechess).unwrap_err().to_string();
    assert_eq!(refused, "fixed sides: expected a game that white need not begin");
}

#[test]
fn bad_entries_of_every_kind_are_refused_and_change_nothing() {
    let text = |text: &str| text.to_owned();
    let setup =
        |side: &str, setup: &str| SessionEvent::SetUp { side: text(side), setup: text(setup) };
    let mut table = Table::new(settings());
    let is = |event, expected: &str, table: &mut Table| assert_eq!(table.refused(event), expected);
    is(undo(), "there is nothing to take back", &mut table);
    is(rolled("4"), "the game has not begun: expected both set-ups first", &mut table);
    is(award("red"), "the game has not begun: expected both set-ups first", &mut table);
    is(setup("green", "S123456"), "unknown side 'green': expected one of red, blue", &mut table);
    is(setup("red", "S112345"), "set-up 'S112345': expected one such as S234561", &mut table);
    table.enter(setup("red", "S123456"));
    is(setup("red", "S123456"), "red has a set-up: expected none", &mut table);
    table.enter(setup("blue", "S123456"));
    is(
        setup("blue", "S123456"),
        "the game has begun: expected no set-up, or undo with a reason",
        &mut table,
    );
    is(rolled("7"), "die '7': expected a number 1-6", &mut table);
    is(moved("a4b3"), "move 'a4b3': expected the roll first", &mut table);
    is(
        SessionEvent::Undo { reason: text(" ") },
        "undo: expected a reason, as in undo wrong roll",
        &mut table,
    );
    let pause = SessionEvent::Pause { reason: String::new() };
    is(pause, "the clocks are stopped already: expected go, or a roll", &mut table);
    table.enter(rolled("4"));
    is(rolled("5"), "roll '5': expected a move for 4, or undo with a reason", &mut table);
    is(moved("a5b4"), "move 'a5b4': expected one of a4b4 a4a3 a4b3", &mut table);
    is(
        SessionEvent::Go,
        "the clock is running already: expected a roll, a move or pause",
        &mut table,
    );
    is(
        SessionEvent::Next,
        "the game is not over: expected its end before the next one",
        &mut table,
    );
    let dismiss = SessionEvent::Dismiss { reason: text("it was legal") };
    is(dismiss, "no claim is open: expected a claim before it is dismissed", &mut table);
    let nothing = SessionEvent::Award { side: text("red"), reason: String::new() };
    is(nothing, "no reason: expected one in a few words", &mut table);
    table.enter(SessionEvent::Claim { side: text("blue"), reason: text("touched cube 5") });
    let open = "a claim is open: expected award, draw or dismiss, with a reason";
    is(moved("a4b3"), open, &mut table);
    is(SessionEvent::Go, open, &mut table);
    table.enter(SessionEvent::Resign { side: text("red") });
    for file in ["", "..", "../WTN-1.txt", "/WTN-1.txt", "a/b.txt"] {
        let problem = format!("record '{file}': expected the name of a file");
        is(SessionEvent::Filed { file: text(file) }, &problem, &mut table);
    }
    let over = "the game is over: expected next, or undo with a reason";
    is(moved("a4b3"), over, &mut table);
    is(SessionEvent::Resign { side: text("blue") }, over, &mut table);
    let early = SessionEntry { at: 0, ..table.entry(SessionEvent::Next) };
    table.at = 5;
    table.enter(SessionEvent::Tick);
    assert_eq!(table.session.apply(early).unwrap_err().to_string(), "time 0: expected 5 or later");
}

#[test]
fn settings_that_cannot_be_played_or_recorded_are_refused() {
    let names = |one: &str, other: &str| [one.to_owned(), other.to_owned()];
    let of = |settings| Session::new(&Einstein::default(), settings).unwrap_err().to_string();
    let players =
        |one: &str, other: &str| of(SessionSettings { players: names(one, other), ..settings() });
    assert_eq!(players("Ada", "ada"), "player 'ada': expected two different names");
    assert_eq!(players("red", "Ada"), "player 'red': expected a name, not red or blue");
    assert_eq!(players("Ada", ""), "player '': expected a name, not red or blue");
    assert_eq!(players("Ada\n", "B"), r"'Ada\n': expected one line");
    assert!(players(&"x".repeat(200), "Blaise").ends_with("bytes: expected 240 at most"));
    let games = of(SessionSettings { games: 0, ..settings() });
    assert_eq!(games, "0 games: expected 1 to 100");
    assert_eq!(players("Red", "Ada"), "player 'Red': expected a name, not red or blue");
    let game = of(SessionSettings { game: "dicechess".to_owned(), ..settings() });
    assert_eq!(game, "game 'dicechess': expected einstein");
}

#[test]
fn an_agent_is_given_its_share_of_the_clock() {
    let mut table = Table::arranged(settings());
    let share = |table: &Table| table.session.limit(Budget::default(), Side::First, table.at);
    assert_eq!(share(&table).time.unwrap().as_secs(), 16, "240 s / 15 turns");
    table.turn("4", "a4b3", 100);
    assert_eq!(share(&table).time.unwrap().as_secs(), 10, "140 s / 14 turns");
    assert_eq!(share(&table).deadline.unwrap().as_secs(), 140);
}

/// A game without set-ups begins at once; in it draws are half a point each.
#[test]
fn a_game_without_set_ups_begins_at_once() {
    let settings = SessionSettings { game: "dicechess".to_owned(), games: 2, ..settings() };
    let mut session = Session::new(&DiceChess::default(), settings).unwrap();
    let time = "2026-08-01T14:00:05+08:00".to_owned();
    assert_eq!(session.next_entry(), NextEntry::Roll(Side::First));
    let draw = SessionEvent::Draw { reason: "agreed".to_owned() };
    session.apply(SessionEntry { at: 0, time, event: draw }).unwrap();
    assert_eq!((session.halves(), session.next_entry()), ([1, 1], NextEntry::Next));
}

/// Writes a session of some entries, and returns the text of its file.
fn written(path: &Path) -> (String, Vec<Session<Einstein>>) {
    let mut table = Table::new(settings());
    let mut file = SessionFile::begin(path, table.session.settings()).unwrap();
    let mut sessions = vec![table.session.clone()];
    let mut enter = |event: SessionEvent, table: &mut Table| {
        table.at += 1234;
        file.write(&[table.entry(event.clone())]).unwrap();
        table.enter(event);
        sessions.push(table.session.clone());
    };
    for side in ["red", "blue"] {
        let setup = SessionEvent::SetUp { side: side.to_owned(), setup: "S123456".to_owned() };
        enter(setup, &mut table);
    }
    for event in
        [rolled("4"), undo(), rolled("3"), moved("c5c4"), SessionEvent::Tick, award("blue")]
    {
        enter(event, &mut table);
    }
    enter(SessionEvent::Filed { file: "WTN-1.txt".to_owned() }, &mut table);
    enter(SessionEvent::Next, &mut table);
    (fs::read_to_string(path.with_added_extension("part")).unwrap(), sessions)
}

fn resumed(path: &Path) -> Result<Option<Session<Einstein>>, SessionError> {
    Ok(SessionFile::resume(&Einstein::default(), path)?.map(|(_, session)| session))
}

#[test]
fn a_file_that_was_cut_off_anywhere_has_every_entry_that_was_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let (text, sessions) = written(&path);
    let part = path.with_added_extension("part");
    for length in 0..=text.len() {
        fs::write(&part, &text[..length]).unwrap();
        let whole = text[..length].matches('\n').count();
        let actual = resumed(&path).unwrap().map(|session| format!("{session:?}"));
        let expected = whole.checked_sub(1).map(|place| format!("{:?}", sessions[place]));
        assert_eq!(actual, expected, "after {length} bytes");
    }
}

#[test]
fn a_file_that_was_changed_anywhere_is_refused_in_one_line_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let (text, sessions) = written(&path);
    let part = path.with_added_extension("part");
    for at in 0..text.len() - 1 {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        fs::write(&part, &bytes).unwrap();
        let error = resumed(&path).err().unwrap_or_else(|| panic!("byte {at} of\n{text}"));
        let error = error.to_string();
        assert!(error.contains("session.jsonl.part', line ") && !error.contains('\n'), "{error}");
        assert_eq!(fs::read(&part).unwrap(), bytes);
    }
    // Whole lines that were left out or exchanged.
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for left_out in 0..lines.len() - 1 {
        let others = lines.iter().zip(0..).filter(|(_, place)| *place != left_out);
        fs::write(&part, others.map(|(line, _)| *line).collect::<String>()).unwrap();
        assert!(resumed(&path).is_err(), "without line {left_out}");
    }
    fs::write(&part, &text).unwrap();
    assert_eq!(
        format!("{:?}", resumed(&path).unwrap().unwrap()),
        format!("{:?}", sessions.last().unwrap())
    );
}

/// Whatever is entered, nothing panics, what is refused changes nothing, and the entries alone lead
/// to the same session again.
#[test]
fn the_session_is_a_function_of_its_entries() {
    let text = |text: &str| text.to_owned();
    let sides = ["red", "blue", "green"];
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut table = Table::new(settings());
        for _ in 0..150 {
            table.at += u64::from(random.below(9_000));
            let side = text(sides[random.below(3) as usize]);
            let reason = text(["", "why", "wrong"][random.below(3) as usize]);
            let wanted = match (table.session.next_entry(), table.session.game()) {
                (NextEntry::SetUp(side), _) => SessionEvent::SetUp {
                    side: text(["red", "blue"][side.index()]),
                    setup: text("S654321"),
                },
                (NextEntry::Roll(_), _) => rolled(&random.pick(&[1, 2, 3, 4, 5, 6, 7]).to_string()),
                (NextEntry::Move(_, roll), Some(game)) => {
                    moved(&random.pick(game.now().moves(roll).as_ref()).to_string())
                }
                _ => SessionEvent::Next,
            };
            let event = match random.below(30) {
                0 => undo(),
                1 => SessionEvent::Pause { reason },
                2 => SessionEvent::Go,
                3 => SessionEvent::Clock { side, left: i64::from(random.below(90_000)), reason },
                4 => SessionEvent::Claim { side, reason },
                5 | 11..=14 => SessionEvent::Dismiss { reason },
                6 => SessionEvent::Flag { side },
                7 => rolled("4"),
                8 => SessionEvent::Resumed,
                9 if random.below(4) == 0 => SessionEvent::Resign { side },
                10 if random.below(4) == 0 => SessionEvent::Award { side, reason },
                _ => wanted,
            };
            let before = format!("{:?}", table.session);
            let entry = table.entry(event);
            if table.session.apply(entry).is_err() {
                assert_eq!(format!("{:?}", table.session), before);
            }
        }
        let mut again = Session::new(&Einstein::default(), settings()).unwrap();
        for entry in table.session.log() {
            again.apply(entry.clone()).unwrap();
        }
        assert_eq!(format!("{again:?}"), format!("{:?}", table.session));
        assert!(table.session.log().len() > 40, "many entries are good ones");
    }
}
