//! Random games of every kind, written in each form and read back. Nothing is lost except what the form cannot
//! hold, and that is reported.

use proptest::prelude::*;
use wurfel_arena::{
    LostDetails, RecordedGame, find_games, move_list_of, read_games, write_records,
};
use wurfel_core::{Outcome, Random, Side, Transcript, decode, encode_gbk, roll};
use wurfel_games::Playable;
use wurfel_games::dicechess::DiceChess3;
use wurfel_games::einstein::Einstein;

/// A random game of this many turns, or to its end if that comes earlier.
fn played<G: Playable>(seed: u64, turns: u32) -> Transcript<G> {
    let mut random = Random::new(seed);
    let mut game = Transcript::new(G::default().setup(&mut random));
    while game.now().outcome().is_none() && game.now().ply() <= turns {
        let mut rest = Some(roll(game.now(), &mut random));
        while let Some(dice) = rest {
            let mv = game.now().pick(dice, &mut random).unwrap();
            game.push(dice, mv).unwrap();
            rest = game.rest();
        }
    }
    game
}

/// Reads the only game of a text, as every command does.
fn recorded_game<G: Playable>(game: &Transcript<G>) -> RecordedGame<G> {
    let text = move_list_of(game);
    let mut recorded_game = read_games(&G::default(), &text).unwrap().remove(0);
    recorded_game.game = game.clone();
    recorded_game
}

/// The details that games lost when they were written and read back.
fn lost<G: Playable>(before: &[RecordedGame<G>], after: &[RecordedGame<G>]) -> LostDetails {
    let mut losses = LostDetails::default();
    before.iter().zip(after).for_each(|(one, other)| losses.add(one, other));
    losses
}

fn again<G: Playable>(text: &str) -> Vec<RecordedGame<G>> {
    find_games(&G::default(), text).unwrap().map(|unread| unread.read().unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn json_and_wtn_keep_all_of_a_game(
        seed in any::<u64>(),
        turns in 1..40_u32,
        names in ["[A-Za-z0-9 ]{0,8}[a-z0-9]", "(红|蓝|队|爱恩斯坦|先手){1,3}"],
        place in "[A-Z][a-z]{0,9}",
        event in "20[0-9]{2} CCGC",
        given_up in any::<bool>(),
    ) {
        let mut game = played::<Einstein>(seed, turns);
        if given_up && game.result.is_none() {
            game.state(Outcome::Win(Side::Second)).unwrap();
        }
        let [one, other] = names;
        game.players[Side::First] = one.trim().to_owned();
        game.players[Side::Second] = format!("{}x", other.trim());
        game.event_info.time = "2026.08.01 14:00".to_owned();
        game.event_info.place = place;
        game.event_info.event = event;
        let before = [recorded_game(&game)];
        let form = &Einstein::RECORDS[0];
        let wtn = (form.write)(&game).unwrap();
        for text in [write_records(&before).unwrap(), wtn.clone()] {
            let after = again::<Einstein>(&text);
            prop_assert_eq!(&after[0].game, &game, "{}", text);
            prop_assert!(lost(&before, &after).is_none());
        }
        if let Ok(bytes) = encode_gbk(&wtn) {
            prop_assert_eq!(decode(&bytes).unwrap(), wtn);
        }
    }

    #[test]
    fn move_lists_keep_the_game_and_tell_what_they_lose(seed in any::<u64>(), turns in 1..30_u32) {
        let mut game = played::<DiceChess3>(seed, turns);
        let after = again::<DiceChess3>(&move_list_of(&game));
        prop_assert_eq!(&after[0].game, &game);
        game.players[Side::Second] = "black".to_owned();
        game.event_info.event = "a cup".to_owned();
        let before = [recorded_game(&game)];
        let losses = lost(&before, &again(&move_list_of(&game)));
        prop_assert_eq!(losses.to_string(), "the players (1 game), the event (1 game)");
    }
}
