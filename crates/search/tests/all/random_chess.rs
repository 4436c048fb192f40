//! Random games of Dice Chess against the statistics of another program.

use wurfel_core::{Outcome, Random, Side, random_game};
use wurfel_games::dicechess::{DiceCount, Names, OneDie, Position};

/// The rules without a limit on the number of moves, as in the program that the figures come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct NoLimit;

impl DiceCount for NoLimit {
    const THREE_DICE: bool = false;
    const NAMES: &'static [Names] = OneDie::NAMES;
    const MAX_MOVES: u16 = 5000;
}

const GAMES: u32 = 60_000;

/// The shares of White's wins and Black's, and the mean number of plies.
fn play<D: DiceCount>() -> (f64, f64, f64) {
    let mut random = Random::new(1);
    let (mut white, mut black, mut plies) = (0, 0, 0);
    for _ in 0..GAMES {
        let game = random_game(Position::<D>::default(), None, &mut random);
        white += u32::from(game.outcome == Outcome::Win(Side::First));
        black += u32::from(game.outcome == Outcome::Win(Side::Second));
        plies += game.plies;
    }
    let share = |count: u32| f64::from(count) / f64::from(GAMES);
    (share(white), share(black), share(plies))
}

/// The published figures: 50.0 % of the games won by White and 49.5 % by Black, and 113 plies a
/// game. Four standard errors of a share are 0.8 %.
#[test]
fn random_games_are_won_and_last_as_published() {
    let (white, black, plies) = play::<NoLimit>();
    assert!((white - 0.500).abs() < 0.009 && (black - 0.495).abs() < 0.009, "{white} {black}");
    assert!((plies - 113.0).abs() < 1.5, "{plies}");
}

/// With a limit of 100 moves for each side, a tenth of the games are drawn.
#[test]
fn the_limit_ends_long_games() {
    let (white, black, plies) = play::<OneDie>();
    let draws = 1.0 - white - black;
    assert!((draws - 0.095).abs() < 0.01, "{draws}");
    assert!((plies - 108.0).abs() < 1.5, "{plies}");
}
