//! The greedy player: it makes the move that looks best by itself, without search.

use wurfel_core::{Agent, Budget, Decision, Game, Preference, Random, Turn};

/// Plays a move with the highest rating of its [`Preference`]; moves with equal ratings are equally
/// likely.
#[derive(Clone, Debug)]
pub struct Greedy<P> {
    preference: P,
    random: Random,
}

impl<P> Greedy<P> {
    /// A player with this preference. It draws random numbers from `random` until a game begins.
    pub const fn new(preference: P, random: Random) -> Self {
        Self { preference, random }
    }
}

impl<G: Game, P: Preference<G>> Agent<G> for Greedy<P> {
    fn begin(&mut self, random: Random) {
        self.random = random;
    }

    fn decide(&mut self, turn: Turn<'_, G>, _: Budget<'_>) -> Decision<G::Move> {
        let moves = turn.moves();
        let mut best = moves.as_ref()[0];
        let mut rating = i32::MIN;
        let mut equals = 0;
        for &mv in moves.as_ref() {
            let rate = self.preference.rate(turn, mv);
            if rate > rating {
                (best, rating, equals) = (mv, rate, 1);
            } else if rate == rating {
                // The n-th of the best moves replaces the choice with probability 1/n, so that in
                // the end all of them are equally likely.
                equals += 1;
                if self.random.below(equals) == 0 {
                    best = mv;
                }
            }
        }
        Decision { mv: best, value: None, exact: false, nodes: 0, depth: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_core::{Literal, LiteralMove, Situation};

    struct Even;

    impl Preference<Literal> for Even {
        fn rate(&self, _: Turn<'_, Literal>, mv: LiteralMove) -> i32 {
            i32::from(mv.to_string() != "2")
        }
    }

    #[test]
    fn equally_good_moves_are_equally_likely() {
        let game: Situation<Literal> = "{[++++]} 1 1".parse().unwrap();
        let turn = Turn { position: &game.position, roll: game.roll.unwrap() };
        let mut player = Greedy::new(Even, Random::new(1));
        let mut counts = std::collections::HashMap::new();
        for _ in 0..30_000 {
            let mv = player.decide(turn, Budget::default()).mv.to_string();
            *counts.entry(mv).or_insert(0i32) += 1;
        }
        assert_eq!(counts.len(), 3, "{counts:?}");
        assert!(counts.values().all(|n| (n - 10_000).abs() < 400), "{counts:?}");
    }
}
