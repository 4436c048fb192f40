//! Random games: every move is as likely as every other.
//!
//! Callers that want many games from one position use [`Game::random_games`], because a game may
//! know a quicker way than playing one after the other.

use std::ops::AddAssign;

use crate::{BySide, Game, Outcome, Random, Side, draw};

/// The result and the length of a random game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomGame {
    /// How the game ended.
    pub outcome: Outcome,
    /// How many decisions were made in it.
    pub plies: u32,
}

/// Plays uniformly random moves from `position` to the end of the game. With a `roll`, the side to
/// move goes on with it. [`Game::random_game`] gives the same game and may know a quicker way.
///
/// ```
/// use wurfel_core::{Literal, Outcome, Random, Side, random_game};
///
/// let game: Literal = "{[+]}".parse()?;
/// let played = random_game(game, None, &mut Random::new(1));
/// assert_eq!((played.outcome, played.plies), (Outcome::Win(Side::First), 1));
/// # Ok::<(), wurfel_core::NotationError>(())
/// ```
#[inline]
pub fn random_game<G: Game>(
    mut position: G,
    mut roll: Option<G::Roll>,
    random: &mut Random,
) -> RandomGame {
    let mut plies = 0;
    loop {
        if let Some(outcome) = position.outcome() {
            return RandomGame { outcome, plies };
        }
        let fallen = roll.take().unwrap_or_else(|| draw(G::DICE, random));
        let Some(mv) = position.pick(fallen, random) else { continue };
        plies += 1;
        roll = position.play(fallen, mv);
    }
}

/// The summed results of several random games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RandomGames {
    /// How many games each side has won.
    pub wins: BySide<u64>,
    /// How many games were drawn.
    pub draws: u64,
    /// How many decisions were made in all games together.
    pub plies: u64,
}

impl RandomGames {
    /// How many games there were.
    pub fn count(&self) -> u64 {
        self.wins[Side::First] + self.wins[Side::Second] + self.draws
    }

    /// The sum of the results for `side`: 1 for a win, ½ for a draw.
    pub fn sum_for(&self, side: Side) -> f64 {
        self.wins[side] as f64 + self.draws as f64 / 2.0
    }

    /// Adds `games` games that all ended with `outcome`, after `plies` decisions together.
    pub fn add(&mut self, outcome: Outcome, games: u64, plies: u64) {
        match outcome {
            Outcome::Win(side) => self.wins[side] += games,
            Outcome::Draw => self.draws += games,
        }
        self.plies += plies;
    }
}

impl AddAssign for RandomGames {
    fn add_assign(&mut self, other: Self) {
        for (side, wins) in other.wins.iter() {
            self.wins[side] += wins;
        }
        self.draws += other.draws;
        self.plies += other.plies;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Literal;

    /// With a 1 the side to move wins; with a 2 it chooses blindly between a win, a draw and a
    /// loss.
    #[test]
    fn many_games_are_the_sum_of_single_games() {
        let game: Literal = "{[+][+=-]}".parse().unwrap();
        let mut random = Random::new(7);
        let mut twin = random.clone();
        let all = game.random_games(None, 300, &mut random);
        let mut sum = RandomGames::default();
        for _ in 0..300 {
            let RandomGame { outcome, plies } = random_game(game.clone(), None, &mut twin);
            sum.add(outcome, 1, u64::from(plies));
        }
        assert_eq!((all, all.count()), (sum, 300));
        assert_eq!(random, twin);
        let [first, second] = Side::BOTH.map(|side| all.sum_for(side));
        assert!((first + second - 300.0).abs() < 1e-9);
        assert!((190.0..260.0).contains(&first), "{first}");
    }
}
