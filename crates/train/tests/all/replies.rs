//! The fitted preference for replies: it picks better than what it is held to, and does not depend on the
//! number of threads.

use std::sync::Arc;

use wurfel_agents::build;
use wurfel_core::{EndPreference, Evaluator, Even};
use wurfel_games::dicechess::{DiceChess3, Linear};
use wurfel_games::{Learnable, Playable, shared_evaluation, shipped_replies};
use wurfel_train::{Picked, RepliesFit, fit_replies, measure_replies};

type Evaluation = Arc<dyn Evaluator<DiceChess3>>;

fn learned() -> Evaluation {
    shared_evaluation::<DiceChess3>(DiceChess3::BEST_EVALUATION).unwrap()
}

#[test]
fn a_fitted_preference_picks_better_than_none_and_is_the_same_on_any_number_of_threads() {
    let searcher = build(&DiceChess3::default(), &"selective".parse().unwrap()).unwrap();
    let fit = |jobs| {
        let settings = RepliesFit { rolls: 3_000, seed: 1 };
        fit_replies(&DiceChess3::default(), settings, &searcher, &learned(), jobs, |_| true)
    };
    let fitted = fit(2);
    assert!(fitted == fit(1));
    let preference = DiceChess3::replies(&fitted).unwrap();
    let both: [&dyn EndPreference<DiceChess3>; 2] = [&*preference, &Even];
    let [fitted, none] =
        measure_replies(&DiceChess3::default(), both, 8, 2, &searcher, &learned(), 2);
    // 3,000 rolls teach a part of what a million and a half do.
    assert!(
        fitted.best > none.best + 0.05 && fitted.lost < 0.75 * none.lost,
        "{fitted:?} {none:?}"
    );
}

/// The evaluation itself picks the best reply in any case, and what ships is better than `linear`.
#[test]
fn what_ships_picks_better_than_the_games_first_evaluation() {
    let searcher = build(&DiceChess3::default(), &"selective".parse().unwrap()).unwrap();
    let (ships, itself) = (shipped_replies().unwrap(), learned());
    let all: [&dyn EndPreference<DiceChess3>; 3] = [&itself, &*ships, &Linear::PAPER];
    let [itself, ships, linear] =
        measure_replies(&DiceChess3::default(), all, 8, 3, &searcher, &learned(), 2);
    assert!((itself.best - 1.0).abs() < 1e-3 && itself.lost == 0.0, "{itself:?}");
    let Picked { best, lost } = ships;
    assert!(best > linear.best + 0.05 && lost < linear.lost / 2.0, "{ships:?} {linear:?}");
}
