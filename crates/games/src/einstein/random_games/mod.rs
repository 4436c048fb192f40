//! Many random games from one position, played side by side.
//!
//! Flat Monte Carlo and rollouts between random players consist of random games, and playing one
//! game after the other leaves most of a CPU idle, because each move waits for the one before it.
//! Here 32 lanes play at the same time, each its share of the games and each with its own stream of
//! random numbers. The games follow from the position, their number and the seed; the instructions
//! that play them change only the time. A single game is played in another way: see `single.rs`.
//!
//! Every lane plays its whole share to the end. If the first games to finish were counted instead,
//! short games would be favoured.

mod draws;
mod instructions;
mod lanes;
pub(super) mod single;

use wurfel_core::{Game, Outcome, Random, RandomGames, Side};

use super::cube::Cube;
use super::position::Position;
use super::rolls::{Die, RuleSet};
pub use instructions::RandomGameInstructions;
use lanes::{Board, LANES, Lane};

/// The fewest games that are played in lanes. With fewer, most lanes would have none, and playing
/// one game after the other is as fast.
pub(super) const MIN_GAMES: u32 = 8;

/// The largest number of games that are given to the lanes at once. A game has at most 96 moves,
/// twelve cubes with eight each, so the moves of a lane stay far below 2³².
const MAX_AT_ONCE: u32 = 1 << 24;

impl<R: RuleSet> Position<R> {
    /// [`Game::random_games`] with given instructions, which do not change the games.
    pub fn random_games_with(
        &self,
        instructions: RandomGameInstructions,
        roll: Option<Die>,
        games: u32,
        random: &mut Random,
    ) -> RandomGames {
        let mut sum = RandomGames::default();
        if let Some(outcome) = self.outcome() {
            sum.add(outcome, u64::from(games), 0);
            return sum;
        }
        let Some(die) = roll else {
            let mut left = games;
            while left > 0 {
                let some = left.min(MAX_AT_ONCE);
                sum += self.in_lanes(instructions, some, random);
                left -= some;
            }
            return sum;
        };
        let moves = self.moves(die);
        let moves = moves.as_ref();
        let mut shares = [0; 6];
        for _ in 0..games {
            shares[random.below(moves.len() as u32) as usize] += 1;
        }
        for (&mv, share) in moves.iter().zip(shares) {
            sum += self.after(mv).random_games_with(instructions, None, share, random);
        }
        sum.plies += u64::from(games);
        sum
    }

    /// Plays the games from here, before the roll and before the end.
    fn in_lanes(
        &self,
        instructions: RandomGameInstructions,
        games: u32,
        random: &mut Random,
    ) -> RandomGames {
        let (start, seed) = (self.board(), random.bits());
        let mut lanes: [Lane; LANES] = std::array::from_fn(|lane| {
            let left = (games + LANES as u32 - 1 - lane as u32) / LANES as u32;
            Lane { board: start, stream: draws::stream(seed, lane), left, wins: 0, plies: 0 }
        });
        let instructions =
            if games < MIN_GAMES { RandomGameInstructions::SCALAR } else { instructions };
        instructions.play::<R>(start, &mut lanes);
        let mut sum = RandomGames::default();
        for lane in lanes {
            sum.add(Outcome::Win(Side::First), u64::from(lane.wins), u64::from(lane.plies));
        }
        sum.add(Outcome::Win(Side::Second), u64::from(games) - sum.wins[Side::First], 0);
        sum
    }

    /// The position as lanes have it.
    fn board(&self) -> Board {
        let seen = |side: Side| {
            Cube::ALL.map(|cube| {
                let square = self.cell(side, cube)?.index() as u32;
                Some(if side == Side::First { square } else { 24 - square })
            })
        };
        let side = self.side();
        Board::new(seen(side), seen(!side), side == Side::First)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::einstein::{Nearest, Official, Setup};

    /// Plays the games of a lane by the rules, with the lane's own draws, and returns its wins and
    /// its moves.
    fn by_the_rules<R: RuleSet>(start: &Position<R>, lane: &Lane) -> (u32, u32) {
        let (mut stream, mut wins, mut plies) = (lane.stream, 0, 0);
        for _ in 0..lane.left {
            let mut position = *start;
            while position.outcome().is_none() {
                let (number, after) = draws::next(stream);
                stream = after;
                let (face, is_die) = draws::below(number >> 16, 6);
                let die = Die::new(face as u8 + 1).unwrap();
                let moves = position.moves(die);
                let moves = moves.as_ref();
                let (place, is_choice) = draws::below(number & 0xFFFF, moves.len() as u32);
                if is_die && is_choice {
                    position.play(die, moves[place as usize]);
                    plies += 1;
                }
            }
            wins += u32::from(position.outcome() == Some(Outcome::Win(Side::First)));
        }
        (wins, plies)
    }

    /// Compares each lane of each kind of instructions with the rules, in every position of some
    /// random games.
    fn lanes_keep_to_the_rules<R: RuleSet>(games: u64, shares: &[u32]) {
        let mut random = Random::new(5);
        for _ in 0..games {
            let mut position =
                Position::<R>::new(Setup::random(&mut random), Setup::random(&mut random));
            while position.outcome().is_none() {
                let (start, seed) = (position.board(), random.bits());
                let most = shares[random.below(shares.len() as u32) as usize];
                let lanes: [Lane; LANES] = std::array::from_fn(|lane| Lane {
                    board: start,
                    stream: draws::stream(seed, lane),
                    left: random.below(most + 1),
                    wins: 0,
                    plies: 0,
                });
                let expected = lanes.map(|lane| by_the_rules(&position, &lane));
                for instructions in RandomGameInstructions::available() {
                    let mut played = lanes;
                    instructions.play::<R>(start, &mut played);
                    let actual = played.map(|lane| (lane.wins, lane.plies));
                    assert_eq!(actual, expected, "{instructions} in {position}");
                }
                let die = wurfel_core::draw(Position::<R>::DICE, &mut random);
                position.play(die, *random.pick(position.moves(die).as_ref()));
            }
        }
    }

    /// With at most one game for each lane, every game is compared; with more, so are games that
    /// begin anew in a lane.
    #[test]
    fn games_in_lanes_are_those_of_the_rules() {
        let games = if cfg!(miri) { 1 } else { 60 };
        lanes_keep_to_the_rules::<Official>(games, &[1, 1, 1, 9]);
        lanes_keep_to_the_rules::<Nearest>(games, &[1, 1, 1, 9]);
    }

    #[test]
    fn neither_instructions_nor_the_number_of_calls_show_in_the_sums() {
        let start = Position::<Official>::default();
        for games in [0, 1, 7, 8, 31, 32, 33, 1000] {
            let sums: Vec<_> = RandomGameInstructions::available()
                .into_iter()
                .map(|set| start.random_games_with(set, None, games, &mut Random::new(3)))
                .collect();
            assert!(sums.iter().all(|sum| sum == &sums[0]), "{games}: {sums:?}");
            assert_eq!(sums[0].count(), u64::from(games));
        }
    }

    /// Red wins diagonally; after either other move blue's only move wins.
    #[test]
    fn games_that_are_over_or_begun_are_counted() {
        let play = |text: &str, roll: Option<u8>| {
            let position: Position = text.parse().unwrap();
            let roll = roll.map(|number| Die::new(number).unwrap());
            position.random_games(roll, 6000, &mut Random::new(1))
        };
        let over = play("5/a4/5/5/4A b - 9", None);
        assert_eq!((over.wins[Side::First], over.count(), over.plies), (6000, 6000, 0));
        let begun = play("5/a4/5/3A1/5 r - 9", Some(4));
        let won = begun.wins[Side::First];
        assert!((1850..2150).contains(&won), "{begun:?}");
        assert_eq!((begun.count(), begun.plies), (6000, 12_000 - won));
    }
}
