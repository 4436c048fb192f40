//! Positions and records that the kernels work on.

use wurfel_core::{Game, Random, Situation, Transcript, draw};
use wurfel_games::einstein::Einstein;
use wurfel_games::{Playable, RecordForm};

/// Positions of random games, none of them over.
pub fn positions(count: usize) -> Vec<Einstein> {
    let (mut random, mut positions) = (Random::new(1), vec![]);
    while positions.len() < count {
        let mut position = Einstein::default().setup(&mut random);
        while position.outcome().is_none() {
            positions.push(position);
            let die = draw(Einstein::DICE, &mut random);
            position.play(die, *random.pick(position.moves(die).as_ref()));
        }
    }
    positions.truncate(count);
    positions
}

/// The start with a 4 rolled.
pub fn start() -> (Einstein, <Einstein as Game>::Roll) {
    let text = "ABC2/DE3/F3f/3ed/2cba r 4 1";
    match Einstein::read(text) {
        Ok(Situation { position, roll: Some(roll) }) => (position, roll),
        _ => unreachable!("a position with a roll: {text}"),
    }
}

/// The record form of the Chinese championship.
pub fn wtn() -> &'static RecordForm<Einstein> {
    let form = Einstein::RECORDS.iter().find(|form| form.name == "wtn");
    form.expect("EWN has this form")
}

pub fn record() -> String {
    let mut random = Random::new(1);
    let mut game = Transcript::new(Einstein::default());
    let mut position = Einstein::default();
    while position.outcome().is_none() {
        let die = draw(Einstein::DICE, &mut random);
        let mv = *random.pick(position.moves(die).as_ref());
        game.push(die, mv).expect("a legal move");
        position.play(die, mv);
    }
    (wtn().write)(&game).expect("a game from the start")
}
