//! Random toy games for tests of searches.

use crate::Random;

/// The text of a random [`Literal`](crate::Literal) with `depth` turns: rolls with and without
/// weights, draws, turns that go on.
pub fn random_literal(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return (*random.pick(&["+", "-", "="])).to_owned();
    }
    let weights = *random.pick(&[&[6][..], &[3, 3], &[1, 5], &[2, 2, 2], &[1, 2, 3], &[4, 1, 1]]);
    let mut text = String::from("{");
    for weight in weights {
        text.extend([weight.to_string(), choice(random, depth)]);
    }
    text + "}"
}

fn choice(random: &mut Random, depth: u32) -> String {
    let mut text = String::from("[");
    for _ in 0..=random.below(3) {
        text += &match random.below(8) {
            0 => choice(random, depth),
            1 => random_literal(random, 0),
            _ => random_literal(random, depth - 1),
        };
    }
    text + "]"
}
