//! Tests of a room with two people on two devices.

use wurfel_arena::{RoomEnd, RoomEndReason};
use wurfel_core::Side;

use super::*;
use crate::record::{DiceKind, RoomRecord};

/// A room of EinStein würfelt nicht! in which the guest plays the second side.
struct Two(Room);

impl Two {
    fn new(more: &str) -> Self {
        let people = r#""players":[{"kind":"person"},{"kind":"person"}]"#;
        let request = format!(r#"{{"game":"einstein",{people},"guest":1{more}}}"#);
        let request = serde_json::from_str(&request).unwrap();
        Self(Room::open("room".into(), request, &mut AgentCache::default()).unwrap())
    }

    /// A room in which both players are ready.
    fn begun(more: &str) -> Self {
        let mut room = Self::new(more);
        room.act(1, r#"{"do":"join","invitation":""}"#).unwrap();
        room.act(0, r#"{"do":"begin","salt":"red"}"#).unwrap();
        assert!(!room.view().begun);
        room.act(1, r#"{"do":"begin","salt":"blue"}"#).unwrap();
        assert!(room.view().begun);
        room
    }

    fn act(&mut self, side: usize, text: &str) -> Result<(), Refusal> {
        self.act_after(side, text, Duration::ZERO)
    }

    /// An action of one player after the other has been away for this long.
    fn act_after(&mut self, side: usize, text: &str, away: Duration) -> Result<(), Refusal> {
        let sides = BySide::from_fn(|other: Side| other.index() == side);
        let away = BySide::from_fn(|side| if sides[side] { Duration::ZERO } else { away });
        let by = Actor { sides, away, now: Instant::now() };
        self.0.act(&serde_json::from_str(text).unwrap(), &by)
    }

    fn refused(&mut self, side: usize, text: &str) -> String {
        self.act(side, text).unwrap_err().to_string()
    }

    fn view(&self) -> View {
        self.0.view(Instant::now())
    }

    /// Plays the first legal move for the side to move.
    fn play(&mut self) {
        let view = self.view();
        let mv = format!(r#"{{"do":"move","move":"{}"}}"#, view.scene.moves[0].text);
        assert_eq!(self.refused(1 - view.scene.side, &mv), "it is not your turn");
        self.act(view.scene.side, &mv).unwrap();
    }

    fn end(&self) -> (String, RoomEndReason) {
        let RoomEnd { result, reason, .. } = self.view().end.unwrap();
        (result, reason)
    }

    /// The room opened again from its record, as after a restart of the server.
    fn reopen(self) -> Self {
        let text = serde_json::to_string(self.0.record()).unwrap();
        Self(Room::reopen(serde_json::from_str(&text).unwrap()).unwrap())
    }
}

#[test]
fn both_add_to_the_dice_and_the_game_begins_when_both_are_ready() {
    let mut room = Two::new("");
    room.act(0, r#"{"do":"begin","salt":"red"}"#).unwrap();
    assert_eq!(room.refused(0, r#"{"do":"begin"}"#), "you are ready already");
    assert_eq!(room.view().apart.unwrap().ready, [true, false]);
    assert!(!serde_json::to_string(&room.0.record().clone().shown()).unwrap().contains("red\""));
    assert_eq!(room.refused(0, r#"{"do":"resign"}"#), "the game has not begun");
    let mut room = room.reopen();
    room.act(1, r#"{"do":"join","invitation":""}"#).unwrap();
    assert_eq!(room.refused(1, r#"{"do":"join","invitation":""}"#), "both sides are taken");
    room.act(1, r#"{"do":"begin","salt":"blue"}"#).unwrap();
    let view = room.view();
    let DiceKind::Fair(dice) = view.dice else { panic!() };
    assert_eq!((dice.salt.as_str(), view.begun), ("red-blue", true));
    while room.view().end.is_none() {
        room.play();
    }
    let record = room.0.record().clone();
    assert!(record.verify().is_ok());
    for salt in ["red", "blue"] {
        assert_eq!(record.is_as_shown(Some(&dice.commitment), Some(salt)), Ok(()));
    }
    assert!(record.is_as_shown(None, Some("green")).is_err());
    assert!(record.is_as_shown(Some(&"0".repeat(64)), None).is_err());
}

#[test]
fn both_arrange_unseen_by_the_other() {
    let mut room = Two::new(r#","arrange":true"#);
    let before = room.view().scene;
    room.act(1, r#"{"do":"join","invitation":""}"#).unwrap();
    room.act(0, r#"{"do":"begin","salt":"a"}"#).unwrap();
    room.act(1, r#"{"do":"begin","salt":"b"}"#).unwrap();
    room.act(0, r#"{"do":"arrange","setup":"S652143"}"#).unwrap();
    let seen = serde_json::to_string(&room.view()).unwrap()
        + &serde_json::to_string(&room.0.record().clone().shown()).unwrap();
    assert!(!seen.contains("S652143") && room.view().scene == before);
    assert_eq!(room.view().apart.unwrap().arranged, Some([true, false]));
    let again = room.refused(0, r#"{"do":"arrange","setup":"S123456"}"#);
    assert_eq!(again, "you have arranged your pieces already");
    assert!(room.refused(1, r#"{"do":"arrange","setup":"S1"}"#).starts_with("set-up 'S1'"));
    let mut room = room.reopen();
    room.act(1, r#"{"do":"arrange","setup":"S164235"}"#).unwrap();
    let view = room.view();
    assert!(view.begun && view.scene.at_rest.starts_with("FEB2/AD3/C"), "{}", view.scene.at_rest);
    let late = room.refused(1, r#"{"do":"arrange","setup":"S123456"}"#);
    assert_eq!(late, "the game has begun already");
    // With random set-ups nobody arranges pieces.
    let lot = Two::new("").refused(0, r#"{"do":"arrange","setup":"S123456"}"#);
    assert_eq!(lot, "this game has no set-ups to arrange");
}

#[test]
fn a_move_is_taken_back_when_the_other_agrees() {
    let mut room = Two::begun("");
    let offer = r#"{"do":"offer","what":"take-back"}"#;
    assert_eq!(room.refused(0, offer), "you have nothing to take back");
    while room.view().steps.len() < 4 {
        room.play();
    }
    assert!(room.refused(0, r#"{"do":"undo"}"#).starts_with("the other player has to agree"));
    room.act(0, offer).unwrap();
    assert_eq!(room.refused(0, r#"{"do":"accept"}"#), "there is no proposal for you");
    assert_eq!(room.refused(1, offer), "there is a proposal already");
    room.act(1, r#"{"do":"decline"}"#).unwrap();
    assert_eq!(room.view().steps.len(), 4);
    assert_eq!(room.refused(1, r#"{"do":"accept"}"#), "there is no proposal for you");
    // Playing on declines the proposal.
    room.act(0, offer).unwrap();
    room.play();
    assert_eq!(room.view().apart.unwrap().offer, None);
    room.act(0, offer).unwrap();
    let mut room = room.reopen();
    room.act(1, r#"{"do":"accept"}"#).unwrap();
    let view = room.view();
    assert!(view.steps.len() < 5 && view.scene.side == 0 && view.taken_back == 1);
    assert_eq!(view.apart.unwrap().offer, None);
}

#[test]
fn each_resigns_for_themselves_and_a_game_is_aborted_before_both_have_moved() {
    let mut room = Two::begun("");
    room.act(1, r#"{"do":"resign"}"#).unwrap();
    assert_eq!(room.end(), ("1-0".into(), RoomEndReason::Resigned));
    let mut room = Two::begun("");
    room.play();
    room.act(1, r#"{"do":"abort"}"#).unwrap();
    assert_eq!(room.end(), ("*".into(), RoomEndReason::Aborted));
    let mut room = Two::begun("");
    room.play();
    room.play();
    assert!(room.refused(0, r#"{"do":"abort"}"#).starts_with("both players have moved"));
    // The invited player has not joined.
    let mut room = Two::new("");
    room.act(0, r#"{"do":"abort"}"#).unwrap();
    assert_eq!(room.end(), ("*".into(), RoomEndReason::Aborted));
}

#[test]
fn a_player_who_stays_away_loses_if_the_opponent_claims_it() {
    let claim = r#"{"do":"claim","what":"win"}"#;
    let mut room = Two::begun("");
    let side = room.view().scene.side;
    assert!(room.act_after(1 - side, claim, ABSENCE / 2).is_err());
    assert!(room.act_after(side, claim, 2 * ABSENCE).is_err());
    room.act_after(1 - side, claim, ABSENCE).unwrap();
    let won = if side == 0 { "0-1" } else { "1-0" };
    assert_eq!(room.end(), (won.into(), RoomEndReason::Absent));
    let mut room = Two::begun("");
    let side = room.view().scene.side;
    room.act_after(1 - side, &claim.replace("win", "draw"), ABSENCE).unwrap();
    assert_eq!(room.end(), ("1/2-1/2".into(), RoomEndReason::Absent));
    let mut room = Two::begun(r#","clock":{"seconds":60}"#);
    let side = room.view().scene.side;
    assert!(room.act_after(1 - side, claim, 2 * ABSENCE).is_err());
}

#[test]
fn a_rematch_has_the_same_settings() {
    let mut room = Two::begun(r#","arrange":false,"clock":{"seconds":60,"increment":2}"#);
    let offer = r#"{"do":"offer","what":"rematch"}"#;
    assert_eq!(room.refused(0, offer), "there is no rematch of this game");
    room.act(0, r#"{"do":"resign"}"#).unwrap();
    room.act(0, offer).unwrap();
    let by = |side: usize| Actor {
        sides: BySide::from_fn(|other: Side| other.index() == side),
        away: BySide::from_fn(|_| Duration::ZERO),
        now: Instant::now(),
    };
    assert!(room.0.can_play_again(&by(1)) && !room.0.can_play_again(&by(0)));
    let next = room.0.again("next".into()).unwrap().view(Instant::now());
    assert_eq!((next.clock.unwrap().left_ms, next.begun), ([60_000; 2], false));
    assert_eq!(next.apart.unwrap().open, None);
    room.0.lead_to("next".into());
    assert_eq!(room.view().apart.unwrap().next.as_deref(), Some("next"));
    assert!(!room.0.can_play_again(&by(1)));
}

#[test]
fn settings_that_two_people_cannot_have_are_refused() {
    let people = r#""players":[{"kind":"person"},{"kind":"person"}]"#;
    for request in [
        r#"{"game":"einstein","players":[{"kind":"person"},{"kind":"agent","spec":"greedy"}],"guest":1}"#.to_owned(),
        format!(r#"{{"game":"einstein",{people},"arrange":true}}"#),
        format!(r#"{{"game":"dicechess",{people},"guest":0,"arrange":true}}"#),
        format!(r#"{{"game":"einstein",{people},"guest":0,"arrange":true,"setups":["S123456",null]}}"#),
    ] {
        let request = serde_json::from_str(&request).unwrap();
        assert!(Room::open("room".into(), request, &mut AgentCache::default()).is_err());
    }
}

#[test]
fn a_side_that_is_neither_0_nor_1_is_refused() {
    let record = Two::new("").0.record().clone();
    let text = serde_json::to_string(&record).unwrap();
    let other = text.replace(r#""open":1"#, r#""open":31"#);
    assert_ne!(text, other);
    let error = serde_json::from_str::<RoomRecord>(&other).unwrap_err().to_string();
    assert!(error.starts_with("expected side 0 or 1, found 31"), "{error}");
    let request =
        r#"{"game":"einstein","players":[{"kind":"person"},{"kind":"person"}],"guest":2}"#;
    assert!(serde_json::from_str::<GameRequest>(request).is_err());
}

#[test]
fn an_agent_arranges_by_the_book() {
    let request = r#"{"game":"einstein","players":[{"kind":"person"},{"kind":"agent","spec":"greedy"}],
        "setups":["S123456","book"]}"#;
    let room =
        Room::open("r".into(), serde_json::from_str(request).unwrap(), &mut AgentCache::default());
    let start = room.unwrap().record().start.clone();
    assert!(start.starts_with("ABC2/DE3/F3"), "{start}");
    // Every set-up in the book has a 1 or a 6 in the corner.
    let position = start.split(' ').next().unwrap();
    assert!(position.ends_with(['a', 'f']), "{start}");
}
