//! Positions as text: what is read is written and read again as the same, and can be shown.
//! The lines after the first are moves to play, rolls and set-ups.

use std::collections::HashSet;

use wurfel_agents::{Catalogued, UseGame};
use wurfel_core::{Situation, Weighted, checksum};

use super::checks::{every_game, one_line, text};

pub fn fuzz(input: &[u8]) {
    every_game(&Read(&text(input)));
}

#[derive(Clone)]
struct Read<'a>(&'a str);

impl UseGame for Read<'_> {
    type Output = ();

    fn with<G: Catalogued>(self, rules: &G) {
        let mut lines = self.0.lines();
        let first = lines.next().unwrap_or_default();
        let lenient = rules.read_position(first, true);
        if let Ok(situation) = &lenient {
            look(situation);
        }
        match rules.read_alike(first) {
            Err(error) => one_line(&error),
            Ok(mut situation) => {
                assert_eq!(lenient.as_ref(), Ok(&situation), "nothing was to be dropped");
                look(&situation);
                for line in lines.clone().take(16) {
                    let Some(roll) = situation.roll.or_else(|| line.parse().ok()) else { continue };
                    match situation.position.find_move(roll, line) {
                        Ok(mv) => {
                            situation.roll = situation.position.play(roll, mv);
                            look(&situation);
                        }
                        Err(error) => one_line(&error),
                    }
                }
            }
        }
        for line in lines.take(16) {
            match line.parse::<G::Roll>() {
                Ok(roll) => assert_eq!(roll.to_string().parse(), Ok(roll), "{line}"),
                Err(error) => one_line(&error),
            }
        }
    }
}

fn look<G: Catalogued>(situation: &Situation<G>) {
    let written = situation.to_string();
    let again = situation.position.read_alike(&written);
    let again = again.unwrap_or_else(|why| panic!("{written}: {why}"));
    assert_eq!(&again, situation, "{written}");
    assert_eq!(again.to_string(), written);
    let Situation { position, roll } = situation;
    // A picture takes longer than all the rest.
    if checksum(written.as_bytes()).is_multiple_of(16) {
        let picture = position.diagram(*roll);
        assert!(!picture.text(false).is_empty() && picture.svg().starts_with("<svg"));
    }
    if position.outcome().is_some() {
        return;
    }
    let rolls = position.rolls();
    let rolls = rolls.as_ref();
    assert!(!rolls.is_empty(), "no roll before the end: {written}");
    for &Weighted { item, weight } in rolls {
        assert!(weight > 0 && position.count(item) > 0, "{item} in {written}");
    }
    for encoding in G::ENCODINGS {
        let mut planes = vec![0.0; encoding.planes() * encoding.board() * encoding.board()];
        encoding.write(situation, &mut planes);
        assert!(planes.iter().all(|number| number.is_finite()), "{written}");
        if let Some(turn) = situation.turn() {
            let moves = turn.moves();
            let indices: HashSet<usize> =
                moves.as_ref().iter().map(|&mv| encoding.index(turn, mv)).collect();
            assert_eq!(indices.len(), moves.as_ref().len(), "moves share an index: {written}");
            assert!(indices.iter().all(|&index| index < encoding.moves()), "{written}");
        }
    }
}
