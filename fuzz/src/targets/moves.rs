//! The fast lists of moves against the naive twins that the tests of `wurfel-games` have: boards
//! that every query scans afresh, written from the rules text alone.

#[path = "../../../crates/games/tests/mailbox/mod.rs"]
#[allow(missing_docs, clippy::all, clippy::pedantic, reason = "a file of the games' tests")]
mod mailbox;
#[path = "../../../crates/games/tests/naive/mod.rs"]
#[allow(missing_docs, clippy::all, clippy::pedantic, reason = "a file of the games' tests")]
mod naive;

use mailbox::{Mailbox, Step};
use naive::{Naive, move_text};
use wurfel_core::{Game, Outcome, Random, Side, draw};
use wurfel_games::Playable;
use wurfel_games::dicechess::{DiceChess, DiceChess3, Variant};
use wurfel_games::einstein::{self, Die, Nearest, Official};

use super::checks::{chance, some_position, text};

pub fn fuzz(input: &[u8]) {
    let text = text(input);
    let random = &mut chance(input);
    einstein::<Official>(&text, false, random);
    einstein::<Nearest>(&text, true, random);
    one_die(Variant::Standard, &text, random);
    one_die(Variant::PromotionByDie, &text, random);
    three_dice(&text, random);
}

fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts
}

fn einstein<R: einstein::RuleSet>(text: &str, nearest: bool, random: &mut Random)
where
    einstein::Position<R>: Playable + Game<Roll = Die, Move = einstein::Move>,
{
    let Some(position) = some_position(&einstein::Position::<R>::default(), text, random) else {
        return;
    };
    let twin = twin(&position.to_string(), nearest);
    assert_eq!(twin.text(None), position.to_string());
    for face in einstein::Position::<R>::DICE {
        let actual = position.moves(face.item);
        let expected = twin.moves(face.item.number());
        assert_eq!(
            sorted(actual.as_ref().iter().map(ToString::to_string)),
            sorted(expected.iter().map(|&(from, to)| move_text(from, to))),
            "{} in {position}",
            face.item
        );
        for (from, to) in expected {
            let mv = position.find_move(face.item, &move_text(from, to)).expect("it is listed");
            let (mut next, after) = (position, twin.play(from, to));
            next.play(face.item, mv);
            assert_eq!(next.to_string(), after.text(None), "{mv} in {position}");
            let winner = after.winner().map(|red| if red { Side::First } else { Side::Second });
            assert_eq!(next.outcome(), winner.map(Outcome::Win), "{mv} in {position}");
        }
    }
}

/// The twin of a position that the crate has written.
fn twin(text: &str, nearest: bool) -> Naive {
    let words: Vec<&str> = text.split(' ').collect();
    let mut cells = vec![];
    for character in words[0].chars().filter(|&character| character != '/') {
        match character {
            '1'..='5' => cells.extend((0..character as u8 - b'0').map(|_| 0)),
            'A'..='F' => cells.push((character as u8 - b'A') as i8 + 1),
            _ => cells.push(-((character as u8 - b'a') as i8 + 1)),
        }
    }
    let cells = cells.try_into().expect("25 cells");
    let ply = words[3].parse().expect("the number of the turn");
    Naive { cells, red_to_move: words[1] == "r", ply, nearest }
}

fn one_die(variant: Variant, text: &str, random: &mut Random) {
    let Some(position) = some_position(&DiceChess::under(variant), text, random) else { return };
    let by_die = variant == Variant::PromotionByDie;
    let twin = Mailbox::read(&position.to_string(), false, by_die);
    assert_eq!(twin.text(), position.to_string());
    let letters: String = position.rolls().iter().map(|roll| roll.item.to_string()).collect();
    assert_eq!(letters, twin.movable(), "{position}");
    let die = draw(position.rolls(), random);
    let letter = die.to_string().chars().next().expect("a letter");
    let steps = twin.moves(letter);
    let moves = position.moves(die);
    assert_eq!(
        sorted(moves.as_ref().iter().map(ToString::to_string)),
        sorted(steps.iter().map(|step| step.text())),
        "{die} in {position}"
    );
    for step in steps {
        let mv = position.find_move(die, &step.text()).expect("it is listed");
        let (mut next, mut after) = (position, twin.clone());
        next.play(die, mv);
        after.make(step);
        after.end_turn();
        assert_eq!(next.to_string(), after.text(), "{mv} in {position}");
        assert_eq!(next.outcome().map(letter_of), after.result(), "{mv} in {position}");
    }
}

fn letter_of(outcome: Outcome) -> char {
    match outcome {
        Outcome::Win(Side::First) => 'w',
        Outcome::Win(Side::Second) => 'b',
        Outcome::Draw => '=',
    }
}

/// A whole random turn: its lists of moves, and where it ends.
fn three_dice(text: &str, random: &mut Random) {
    let Some(mut position) = some_position(&DiceChess3::default(), text, random) else { return };
    let mut twin = Mailbox::read(&position.to_string(), true, false);
    let start = position;
    let mut rest = Some(draw(position.rolls(), random));
    while let Some(dice) = rest {
        let steps = twin.three_dice_steps(&dice.to_string());
        let moves = position.moves(dice);
        let name = |step: &Step| step.text();
        let mut expected = sorted(steps.iter().map(|(step, _)| name(step)));
        if expected.is_empty() {
            expected.push("0000".to_owned());
        }
        let actual = sorted(moves.iter().map(ToString::to_string));
        assert_eq!(actual, expected, "{dice} in {start}, now {position}");
        let mv = *random.pick(moves.as_ref());
        rest = position.play(dice, mv);
        let played = steps.iter().find(|(step, _)| step.text() == mv.to_string());
        let left = played.map_or(String::new(), |(step, left)| {
            twin.make(*step);
            left.clone()
        });
        match rest {
            Some(rest) => assert_eq!(rest.to_string(), left, "{mv} in {start}"),
            None => twin.end_turn(),
        }
    }
    assert_eq!(position.to_string(), twin.text(), "{start}");
}
