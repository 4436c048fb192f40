//! Tests of a room, through the actions of its players.

use std::time::{Duration, Instant};

use super::view::ShownClock;
use super::*;
use crate::dice::CommittedDice;
use crate::record::{DiceKind, RoomRecord};
use wurfel_arena::{RoomEnd, RoomEndReason, RoomRoll, RoomStep};

fn request(text: &str) -> GameRequest {
    serde_json::from_str(text).unwrap()
}

fn room(request_text: &str) -> Room {
    Room::open("room".into(), request(request_text), &mut AgentCache::default()).unwrap()
}

fn act(room: &mut Room, text: &str) -> Result<(), Refusal> {
    room.act(&serde_json::from_str(text).unwrap(), &at(Instant::now()))
}

/// The player of a room with one token, who plays both sides.
fn at(now: Instant) -> Actor {
    Actor { sides: BySide::new(true, true), away: BySide::from_fn(|_| Duration::ZERO), now }
}

const TWO_PEOPLE: &str = r#"{"game":"einstein","players":[{"kind":"person"},{"kind":"person"}],
    "position":"5/5/2A2/5/a4 r - 1","typed_dice":true}"#;
const AGAINST: &str = r#"{"game":"einstein",
    "players":[{"kind":"person"},{"kind":"agent","spec":"greedy"}]}"#;

fn first_move(room: &Room) -> String {
    let view = room.view(Instant::now());
    format!(r#"{{"do":"move","move":"{}"}}"#, view.scene.moves[0].text)
}

/// Plays the move of the agent to move.
fn think(room: &mut Room) {
    static STOP: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
    let thought = room.thought().unwrap();
    let answer = (thought.work)(&mut AgentCache::default(), &STOP);
    assert!(room.answer(thought.version, answer, Instant::now()));
}

#[test]
fn two_people_play_with_typed_dice_to_the_end() {
    let mut room = room(TWO_PEOPLE);
    let refused = act(&mut room, r#"{"do":"roll","roll":"3"}"#).unwrap_err();
    assert_eq!(refused.to_string(), "the game has not begun");
    for text in [
        r#"{"do":"begin"}"#,
        r#"{"do":"roll","roll":"3"}"#,
        r#"{"do":"move","move":"c3d2"}"#,
        r#"{"do":"roll","roll":"5"}"#,
        r#"{"do":"move","move":"a1a2"}"#,
        r#"{"do":"roll","roll":"1"}"#,
    ] {
        act(&mut room, text).unwrap();
    }
    let wrong = act(&mut room, r#"{"do":"move","move":"d2a1"}"#).unwrap_err();
    assert_eq!(wrong.to_string(), "move 'd2a1': expected one of d2e2 d2d1 d2e1");
    act(&mut room, r#"{"do":"move","move":"D2E1"}"#).unwrap();
    let view = room.view(Instant::now());
    assert_eq!(
        view.end,
        Some(RoomEnd { result: "1-0".into(), reason: RoomEndReason::Rules, fault: String::new() })
    );
    assert_eq!(view.steps[2].position, "5/5/5/a2A1/5 r 1 3");
    assert!(act(&mut room, r#"{"do":"undo"}"#).is_err());
}

#[test]
fn a_roll_that_was_entered_by_mistake_is_corrected() {
    let mut room = room(TWO_PEOPLE);
    let undo = r#"{"do":"undo"}"#;
    act(&mut room, r#"{"do":"begin"}"#).unwrap();
    assert!(act(&mut room, undo).is_err() && !room.view(Instant::now()).undo);
    act(&mut room, r#"{"do":"roll","roll":"2"}"#).unwrap();
    assert!(room.view(Instant::now()).undo);
    act(&mut room, undo).unwrap();
    assert!(act(&mut room, r#"{"do":"move","move":"c3d2"}"#).is_err());
    act(&mut room, r#"{"do":"roll","roll":"3"}"#).unwrap();
    act(&mut room, r#"{"do":"move","move":"c3d2"}"#).unwrap();
    act(&mut room, r#"{"do":"roll","roll":"5"}"#).unwrap();
    // Rolls and moves are taken back in turn.
    act(&mut room, undo).unwrap();
    assert_eq!(room.record().steps.len(), 1);
    act(&mut room, undo).unwrap();
    let again = Room::reopen(room.record().clone()).unwrap();
    for room in [&room, &again] {
        assert!(room.record().steps.is_empty());
        assert_eq!(room.record().rolled.as_ref().unwrap().roll, "3");
    }
    act(&mut room, undo).unwrap();
    assert_eq!(room.record().rolled, None);
}

#[test]
fn a_room_made_again_from_its_record_is_the_same() {
    for (text, after) in [(TWO_PEOPLE, r#"{"do":"roll","roll":"3"}"#), (AGAINST, "")] {
        let mut first = room(text);
        act(&mut first, r#"{"do":"begin","salt":"abc"}"#).unwrap();
        if !after.is_empty() {
            act(&mut first, after).unwrap();
        }
        let played = first_move(&first);
        act(&mut first, &played).unwrap();
        let text = serde_json::to_string(first.record()).unwrap();
        let again = Room::reopen(serde_json::from_str(&text).unwrap()).unwrap();
        let now = Instant::now();
        let [mut one, mut other] = [first.view(now), again.view(now)];
        (one.version, other.version) = (0, 0);
        assert_eq!(one, other);
    }
}

#[test]
fn a_damaged_record_is_an_error() {
    let mut room = room(TWO_PEOPLE);
    act(&mut room, r#"{"do":"begin"}"#).unwrap();
    let record = room.record().clone();
    let step = RoomStep { roll: "3".into(), mv: "c3c4".into(), ..RoomStep::default() };
    // Found by fuzzing: the next roll had the number 2^32, which overflowed.
    let mut dice = CommittedDice::new().unwrap();
    dice.rolls = u32::MAX;
    let broken = [
        RoomRecord { dice: DiceKind::Fair(dice), ..record.clone() },
        RoomRecord { version: 1, ..record.clone() },
        RoomRecord { version: 3, ..record.clone() },
        RoomRecord { game: "chess".into(), ..record.clone() },
        RoomRecord { start: "5".into(), ..record.clone() },
        RoomRecord { steps: vec![step], ..record.clone() },
        RoomRecord { rolled: Some(RoomRoll { roll: "9".into(), ..RoomRoll::default() }), ..record },
    ];
    for record in broken {
        let error = Room::reopen(record).err().unwrap().to_string();
        assert!(!error.is_empty() && !error.contains('\n'), "{error}");
    }
}

#[test]
fn the_seed_is_hidden_until_the_end_and_then_every_roll_can_be_checked() {
    let mut room = room(AGAINST);
    act(&mut room, r#"{"do":"begin","salt":"pepper"}"#).unwrap();
    let seed = |view: &View| match &view.dice {
        DiceKind::Fair(dice) => (dice.seed.clone(), dice.commitment.clone()),
        DiceKind::Typed => panic!("the request was for rolled dice"),
    };
    let before = seed(&room.view(Instant::now()));
    assert!(before.0.is_empty() && before.1.len() == 64);
    play_on(&mut room);
    let after = seed(&room.view(Instant::now()));
    assert_eq!((after.0.len(), &after.1), (64, &before.1));
    let record = room.record().clone();
    assert_eq!(record.verify(), Ok(record.steps.len() as u32));
    let DiceKind::Fair(dice) = record.dice.clone() else { panic!() };
    let other = DiceKind::Fair(CommittedDice { salt: "other".into(), ..dice.clone() });
    let steered = RoomRecord { dice: other, ..record.clone() }.verify().unwrap_err();
    assert!(matches!(steered, RecordError::Roll { .. }), "{steered}");
    let other = DiceKind::Fair(CommittedDice { seed: "0".repeat(64), ..dice });
    assert_eq!(RoomRecord { dice: other, ..record }.verify(), Err(RecordError::Seed));
}

/// Plays the game to its end, with the agent's moves.
fn play_on(room: &mut Room) {
    while room.record().end.is_none() {
        if room.thought().is_some() {
            think(room);
        } else {
            let played = first_move(room);
            act(room, &played).unwrap();
        }
    }
}

#[test]
fn after_a_take_back_the_seen_roll_stays_and_later_ones_are_rolled_again() {
    let mut room = room(AGAINST);
    act(&mut room, r#"{"do":"begin","salt":"1"}"#).unwrap();
    let before = room.view(Instant::now());
    assert!(!before.undo);
    for times in 1..=3 {
        let mut seen = vec![];
        for _ in 0..2 {
            let played = first_move(&room);
            act(&mut room, &played).unwrap();
            think(&mut room);
        }
        for _ in 0..2 {
            act(&mut room, r#"{"do":"undo"}"#).unwrap();
        }
        let after = room.view(Instant::now());
        assert_eq!((&after.scene, &after.steps), (&before.scene, &before.steps));
        assert_eq!(after.taken_back, 2 * times);
        let record = room.record();
        for back in &record.taken_back {
            let rolls = back.steps.iter().map(RoomStep::roll).chain(back.rolled.clone());
            seen.extend(rolls.skip(1).map(|roll| roll.number));
        }
        let mut once = seen.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), seen.len(), "a roll was repeated: {seen:?}");
    }
    play_on(&mut room);
    let record = room.record().clone();
    let DiceKind::Fair(dice) = &record.dice else { panic!() };
    assert_eq!(record.verify(), Ok(dice.rolls));
    assert!(dice.rolls as usize > record.steps.len());
    // Rolls that were taken back are part of the proof as well.
    let hidden = RoomRecord { taken_back: vec![], ..record.clone() };
    assert!(matches!(
        hidden.verify(),
        Err(RecordError::Roll { .. } | RecordError::Numbering { .. })
    ));
    let text = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<RoomRecord>(&text).unwrap(), record);
}

#[test]
fn an_answer_to_an_older_question_is_not_played() {
    let mut room = room(AGAINST);
    act(&mut room, r#"{"do":"begin"}"#).unwrap();
    let played = first_move(&room);
    act(&mut room, &played).unwrap();
    let version = room.thought().unwrap().version;
    act(&mut room, r#"{"do":"undo"}"#).unwrap();
    let answer = Answer { mv: "a5a4".into(), value: None };
    assert!(!room.answer(version, Ok(answer), Instant::now()));
    let refused = act(&mut room, r#"{"do":"roll","roll":"3"}"#).unwrap_err();
    assert_eq!(refused.to_string(), "the server rolls the dice of this game");
}

#[test]
fn an_agent_without_a_legal_answer_has_lost() {
    let illegal = Ok(Answer { mv: "a1a2".into(), value: None });
    for (answer, start) in
        [(Err("it crashed".to_owned()), "it crashed"), (illegal, "move 'a1a2': ")]
    {
        let mut room = room(AGAINST);
        act(&mut room, r#"{"do":"begin"}"#).unwrap();
        let played = first_move(&room);
        act(&mut room, &played).unwrap();
        let version = room.thought().unwrap().version;
        assert!(room.answer(version, answer, Instant::now()));
        let RoomEnd { result, reason, fault } = room.record().end.clone().unwrap();
        assert_eq!((result.as_str(), reason), ("1-0", RoomEndReason::Fault));
        assert!(fault.starts_with(start), "{fault}");
    }
}

/// With three dice the increment was given for each of the moves of a turn.
#[test]
fn a_turn_of_three_dice_is_given_one_increment() {
    let mut room = room(
        r#"{"game":"dicechess3","players":[{"kind":"person"},{"kind":"person"}],
        "position":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 -","typed_dice":true,
        "clock":{"seconds":3,"increment":2}}"#,
    );
    let start = Instant::now();
    let mut left = vec![];
    for (second, text) in [
        (0, r#"{"do":"begin"}"#),
        (0, r#"{"do":"roll","roll":"PPK"}"#),
        (1, r#"{"do":"move","move":"e2e3"}"#),
        (2, r#"{"do":"move","move":"e3e4"}"#),
        (2, r#"{"do":"move","move":"e1e2"}"#),
    ] {
        let now = start + Duration::from_secs(second);
        room.act(&serde_json::from_str(text).unwrap(), &at(now)).unwrap();
        left.push(room.view(now).clock.unwrap().left_ms[0]);
    }
    assert_eq!(left, [3000, 3000, 2000, 1000, 3000]);
}

#[test]
fn a_player_who_resigns_or_runs_out_of_time_has_lost() {
    let text = AGAINST.replace(r#""game""#, r#""clock":{"seconds":60,"increment":2},"game""#);
    let mut room = room(&text);
    assert_eq!(room.flag(), None);
    let start = Instant::now();
    room.act(&Action::Begin { salt: String::new() }, &at(start)).unwrap();
    let ten = start + Duration::from_secs(10);
    let mv = room.view(ten).scene.moves[0].text.clone();
    room.act(&Action::Move { mv }, &at(ten)).unwrap();
    // The time that an agent takes does not count.
    let view = room.view(start + Duration::from_secs(20));
    assert_eq!(view.clock.unwrap(), ShownClock { left_ms: [52_000, 60_000], running: None });
    think(&mut room);
    // It gets no increment for it either.
    assert_eq!(room.record().clock.unwrap().left_ms, [52_000, 60_000]);
    let flag = room.flag().unwrap();
    assert!(!room.drop_flag(start));
    assert!(room.drop_flag(flag));
    let end = room.record().end.clone();
    assert_eq!(
        end,
        Some(RoomEnd { result: "0-1".into(), reason: RoomEndReason::Time, fault: String::new() })
    );

    let mut room = self::room(AGAINST);
    act(&mut room, r#"{"do":"begin"}"#).unwrap();
    act(&mut room, r#"{"do":"resign"}"#).unwrap();
    let end = room.record().end.clone();
    assert_eq!(
        end,
        Some(RoomEnd {
            result: "0-1".into(),
            reason: RoomEndReason::Resigned,
            fault: String::new()
        })
    );
}

#[test]
fn requests_that_cannot_be_granted_are_refused_in_one_line() {
    let people = r#""players":[{"kind":"person"},{"kind":"person"}]"#;
    for (text, message) in [
        (format!(r#"{{"game":"go",{people}}}"#), "unknown game 'go'"),
        (
            format!(r#"{{"game":"einstein",{people},"setups":["S111111",null]}}"#),
            "set-up 'S111111': EinStein würfelt nicht! has no such set-up",
        ),
        (format!(r#"{{"game":"einstein",{people},"position":"5"}}"#), "position '5'"),
        (
            format!(r#"{{"game":"einstein",{people},"position":"5/5/5/3b1/4A r"}}"#),
            "the game is over in this position",
        ),
        (
            format!(r#"{{"game":"einstein",{people},"clock":{{"seconds":0}}}}"#),
            "expected a clock from 1 second to a day",
        ),
        (
            AGAINST.replace("greedy", "champion:threads=64"),
            "agent 'champion:threads=64': threads=64: expected another option",
        ),
    ] {
        let error = Room::open("r".into(), request(&text), &mut AgentCache::default())
            .err()
            .unwrap()
            .to_string();
        assert!(error.starts_with(message) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn a_forced_move_is_not_the_one_that_is_taken_back() {
    // From the corner, Red's 1 can only go left, so this move is forced.
    let mut room = room(
        r#"{"game":"einstein","players":[{"kind":"person"},{"kind":"person"}],
        "position":"5/5/5/3a1/A4 r - 1","typed_dice":true}"#,
    );
    for text in
        [r#"{"do":"begin"}"#, r#"{"do":"roll","roll":"1"}"#, r#"{"do":"move","move":"a1b1"}"#]
    {
        act(&mut room, text).unwrap();
    }
    assert!(!room.view(Instant::now()).undo);
    act(&mut room, r#"{"do":"roll","roll":"1"}"#).unwrap();
    act(&mut room, r#"{"do":"move","move":"d2c2"}"#).unwrap();
    act(&mut room, r#"{"do":"roll","roll":"1"}"#).unwrap();
    act(&mut room, r#"{"do":"move","move":"b1c1"}"#).unwrap();
    act(&mut room, r#"{"do":"undo"}"#).unwrap();
    let view = room.view(Instant::now());
    assert_eq!((view.steps.len(), view.scene.roll.as_deref()), (1, Some("1")));
}
