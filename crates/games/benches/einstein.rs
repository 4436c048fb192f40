//! Benchmarks of the evaluations, all on the same positions. The Zweistein evaluation is there in
//! two more versions: as the sum in paper `zweistein`, and as this sum arranged for vector
//! instructions.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use wurfel_core::{Evaluator, Game, Random, draw};
use wurfel_games::einstein::{
    DistanceToCorner, Einstein, Official, ZweisteinOdds, ZweisteinSum, learned,
};
use wurfel_games::learned::Learned;
use wurfel_games::{Playable, UseEvaluation};

fn main() {
    divan::main();
}

const POSITIONS: usize = 4096;
const CODES: u16 = 15_625;

/// Positions of random games, none of them over.
fn positions() -> Vec<Einstein> {
    let mut random = Random::new(1);
    let mut positions = vec![];
    loop {
        let mut position = Einstein::default().setup(&mut random);
        while position.outcome().is_none() {
            positions.push(position);
            if positions.len() == POSITIONS {
                // A search meets positions in an order that does not suit the caches.
                random.shuffle(&mut positions);
                return positions;
            }
            let die = draw(Einstein::DICE, &mut random);
            position.play(die, *random.pick(position.moves(die).as_ref()));
        }
    }
}

/// Adds up the values of all positions; each position is an item.
fn run(bencher: Bencher<'_, '_>, value: impl Fn(&Einstein) -> f32 + Sync) {
    let positions = positions();
    bencher
        .counter(ItemsCount::new(POSITIONS))
        .bench(|| black_box(&positions).iter().map(&value).sum::<f32>());
}

struct Bench<'a, 'b>(Bencher<'a, 'b>);

impl UseEvaluation<Einstein> for Bench<'_, '_> {
    type Output = ();

    fn with<E: Evaluator<Einstein> + 'static>(self, evaluator: E) {
        run(self.0, |position| evaluator.evaluate(position));
    }
}

#[divan::bench(args = Einstein::EVALUATIONS.iter().map(|evaluation| evaluation.name))]
fn evaluation(bencher: Bencher<'_, '_>, name: &str) {
    Einstein::evaluation(name, Bench(bencher));
}

/// What a program does before the champion can search.
#[divan::bench]
fn learned_is_built() -> Learned<ZweisteinOdds<Official>> {
    learned::<Official>()
}

/// Algorithm 1 of the paper: 19 products of a cumulative and a single probability.
#[divan::bench]
fn plain_sum(bencher: Bencher<'_, '_>) {
    let zweistein = ZweisteinSum::<Official>::new();
    run(bencher, |position| zweistein.evaluate(position));
}

/// The sum in single precision: 20 terms in five groups of four lanes, whose additions do not wait
/// for each other.
#[divan::bench]
fn vector_sum(bencher: Bencher<'_, '_>) {
    let dtc = DistanceToCorner::<Official>::new();
    let pdfs: Vec<[f32; 20]> =
        probabilities(&dtc).map(|pdf| pdf.map(|share| share as f32)).collect();
    // P(DTC ≥ i): the side to roll wins when it arrives no later.
    let tails: Vec<[f32; 20]> = probabilities(&dtc)
        .map(|pdf| std::array::from_fn(|turns| pdf[turns..].iter().sum::<f64>() as f32))
        .collect();
    run(bencher, |position| {
        let side = position.side();
        let mover = &pdfs[usize::from(position.distance_code(side))];
        let waiter = &tails[usize::from(position.distance_code(!side))];
        let mut lanes = [0.0; 4];
        for (own, other) in mover.chunks_exact(4).zip(waiter.chunks_exact(4)) {
            for lane in 0..4 {
                lanes[lane] += own[lane] * other[lane];
            }
        }
        (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
    });
}

/// The distributions by distance code; that of code 0, which no side has before the end, is all
/// zeros.
fn probabilities(dtc: &DistanceToCorner<Official>) -> impl Iterator<Item = [f64; 20]> {
    (0..CODES).map(|code| if code == 0 { [0.0; 20] } else { dtc.probabilities(code) })
}
