//! The set-up book: how good each set-up is against each other one.
//!
//! Both sides arrange their pieces before the first roll. A search evaluates each pair of set-ups.
//! A set-up is then rated by its mean against all others and by its worst case, which counts when
//! the opponent sees it first.

use std::collections::HashMap;

use wurfel_core::{Budget, BySide, Features, Side, before_roll, sort_by_score};
use wurfel_games::Playable;

use crate::play::ordered::run_in_order;
use wurfel_agents::Factory;

/// A set-up with its win probabilities for the side that has it.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct RankedSetUp<S> {
    /// The set-up.
    pub setup: S,
    /// The mean over all ranked set-ups of the other side.
    pub mean: f64,
    /// The value against the best answer.
    pub least: f64,
    /// The answer that gives the value `least`.
    pub answer: S,
}

/// Ranks `setups` by these rules for both sides against each other, highest mean first, on `jobs` threads.
/// The analyser evaluates each pair before the first roll, within `budget`; if it gives no values, all
/// set-ups are even. `progress` gets the number of finished pairs and of all pairs; if it returns false,
/// the work ends with `None`.
pub fn rank_setups<G: Playable + Features>(
    rules: &G,
    setups: &[G::Setup],
    analyser: &Factory<G>,
    budget: Budget<'_>,
    jobs: usize,
    mut progress: impl FnMut(u64, u64) -> bool,
) -> Option<BySide<Vec<RankedSetUp<G::Setup>>>> {
    let start =
        |first: usize, second: usize| rules.start(BySide::new(setups[first], setups[second]));
    // A pair and its mirror image are searched once.
    let mut places: HashMap<G, usize> = HashMap::new();
    let mut different: Vec<G> = vec![];
    let mut place_of = vec![0; setups.len() * setups.len()];
    for (pair, place) in place_of.iter_mut().enumerate() {
        let position = start(pair / setups.len(), pair % setups.len());
        let known = places.get(&position.twin()).copied();
        *place = known.unwrap_or_else(|| {
            places.insert(position.clone(), different.len());
            different.push(position);
            different.len() - 1
        });
    }
    let total = different.len() as u64;
    let mut values = Vec::with_capacity(different.len());
    run_in_order(
        0..total,
        jobs,
        || analyser(),
        |agent, number| {
            let value = before_roll(&mut **agent, &different[number as usize], budget);
            Some(value.unwrap_or(0.5))
        },
        |number, value| {
            values.push(f64::from(value));
            progress(number + 1, total)
        },
    );
    if values.len() < different.len() {
        return None;
    }
    let value = |first: usize, second: usize| values[place_of[first * setups.len() + second]];
    let rank = |side: Side| {
        let own = |own: usize, other: usize| match side {
            Side::First => value(own, other),
            Side::Second => 1.0 - value(other, own),
        };
        let mut ranked: Vec<_> = (0..setups.len())
            .map(|number| {
                let against = |other: usize| own(number, other);
                let sum: f64 = (0..setups.len()).map(against).sum();
                let worst = (0..setups.len()).min_by(|&a, &b| against(a).total_cmp(&against(b)));
                let worst = worst.unwrap_or(0);
                RankedSetUp {
                    setup: setups[number],
                    mean: sum / setups.len() as f64,
                    least: against(worst),
                    answer: setups[worst],
                }
            })
            .collect();
        sort_by_score(&mut ranked, |setup| setup.mean);
        ranked
    };
    Some(BySide::new(rank(Side::First), rank(Side::Second)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_games::einstein::{Einstein, Setup};

    fn analyser(spec: &str) -> Factory<Einstein> {
        wurfel_agents::build(&Einstein::default(), &spec.parse().unwrap()).unwrap()
    }

    const SHALLOW: Budget<'_> = Budget {
        depth: Some(1),
        nodes: None,
        time: None,
        deadline: None,
        clocks: None,
        stop: None,
    };

    #[test]
    fn symmetric_set_ups_rank_the_same_and_the_first_side_is_ahead() {
        // The chosen set-ups are closed under mirroring and under reversing the numbers.
        let corner = |text: &str| matches!((&text[1..2], &text[5..6]), ("1" | "6", "2" | "5"));
        let some: Vec<Setup> =
            Einstein::setups().iter().copied().filter(|s| corner(&s.to_string())).collect();
        let ranked =
            rank_setups(&Einstein::default(), &some, &analyser("star2"), SHALLOW, 2, |_, _| true)
                .unwrap();
        for side in Side::BOTH {
            let ranked = &ranked[side];
            assert_eq!(ranked.len(), 96);
            assert!(ranked.is_sorted_by(|a, b| a.mean >= b.mean));
            assert!(ranked.iter().all(|setup| setup.least <= setup.mean));
            let of = |text: &str| {
                let setup: Setup = text.parse().unwrap();
                ranked.iter().find(|ranked| ranked.setup == setup).copied().unwrap()
            };
            // The squares are 1 2 3 / 4 5 / 6; mirroring swaps 2 with 4 and 3 with 6.
            let (one, mirrored) = (of("S123456"), of("S146253"));
            assert!((one.mean - mirrored.mean).abs() < 1e-6);
            assert!((one.least - mirrored.least).abs() < 1e-6);
            let reversed = of("S654321");
            assert!((one.mean - reversed.mean).abs() < 1e-6);
        }
        let mean = |side: Side| ranked[side].iter().map(|setup| setup.mean).sum::<f64>() / 96.0;
        assert!((mean(Side::First) + mean(Side::Second) - 1.0).abs() < 1e-6);
        assert!(mean(Side::First) > 0.5);
    }

    #[test]
    fn roll_after_roll_an_agent_finds_what_a_search_finds_at_once() {
        let at_depth = |depth| Budget { depth: Some(depth), ..Budget::default() };
        let mut random = wurfel_core::Random::new(1);
        for depth in 1..=3 {
            let position = Einstein::default().setup(&mut random);
            let [whole, apart] = ["star2", "expecti"].map(|spec| {
                before_roll(&mut *analyser(spec)(), &position, at_depth(depth)).unwrap()
            });
            assert!((whole - apart).abs() < 1e-5, "{position} at depth {depth}: {whole} {apart}");
        }
        let position = Einstein::default().setup(&mut random);
        assert_eq!(before_roll(&mut *analyser("random")(), &position, at_depth(1)), None);
    }

    #[test]
    fn stopped_work_gives_no_result() {
        let some = &Einstein::setups()[..40];
        assert!(
            rank_setups(&Einstein::default(), some, &analyser("star2"), SHALLOW, 2, |done, _| done
                < 100)
            .is_none()
        );
    }
}
