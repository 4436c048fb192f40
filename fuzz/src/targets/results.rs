//! The results in files of matches and tournaments, as `wurfel ratings` reads them.

use wurfel_arena::{Bootstrap, CheckLevel, Ratings, Results, read_pairs};

use super::checks::{one_line, parts};

/// Maximum number of files in an input.
const MAX_FILES: usize = 3;
/// The ratings of more players than this are not computed: the time grows with the cube of their
/// number.
const MAX_PLAYERS: usize = 8;
/// The number of bootstrap resamples: the fewest that the program allows.
const RESAMPLES: u32 = 10;

/// Reads the files with and without playing their games again.
pub fn fuzz(input: &[u8]) {
    for check_level in [CheckLevel::Luck, CheckLevel::Trusted] {
        rate(input, check_level);
    }
}

fn rate(input: &[u8], check_level: CheckLevel) {
    let mut results = Results::new(check_level, 1);
    for file in parts(input, MAX_FILES) {
        if let Err(error) = read_pairs(file, check_level, 1, |halves, _| halves != [2, 2]) {
            one_line(&error);
        }
        if let Err(error) = results.add(file) {
            return one_line(&error);
        }
    }
    let labels = results.labels();
    assert_eq!(labels.len(), results.players.len());
    if labels.len() < 2 || labels.len() > MAX_PLAYERS || results.games() == 0 {
        return;
    }
    let ratings = Ratings::of(labels.len(), &results.encounters);
    let bootstrap = Bootstrap::of(&ratings, results.clusters(), RESAMPLES, 1);
    for player in 0..labels.len() {
        let (elo, error) = ratings.above(player, Some(0));
        assert!(elo.is_finite() && !error.is_nan(), "{elo} ± {error}");
        let _ = bootstrap.display_interval(&ratings, player, None);
        if let Some(adjusted) = results.luck_adjusted() {
            assert!(adjusted.above(player, None).is_finite());
            let _ = adjusted.interval(player, Some(0));
        }
        let likely = bootstrap.superiority(&ratings, player, 0);
        assert!((0.0..=1.0).contains(&likely), "{likely}");
    }
}
