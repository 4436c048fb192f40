//! Benchmarks of Dice Chess: counting sequences of moves, random games, the chance to capture the
//! king, and the turns of three dice.

use std::hint::black_box;

use divan::Bencher;
use divan::counter::ItemsCount;
use wurfel_core::{Fan, Game, Random, draw, perft};
use wurfel_games::dicechess::{DiceChess, DiceChess3, DiceCount, OneDie, Position, ThreeDice};

fn main() {
    divan::main();
}

/// A position with many moves of every kind, which is well known from tests of chess programs.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn kiwipete<R: DiceCount>() -> Position<R> {
    KIWIPETE.parse().expect("a position")
}

/// Counts sequences of up to five moves; each sequence is an item.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn perft_5(bencher: Bencher<'_, '_>) {
    let position = kiwipete::<OneDie>();
    let count = perft(&position, None, 5).iter().sum::<u64>();
    bencher.counter(ItemsCount::new(count as usize)).bench(|| perft(black_box(&position), None, 5));
}

/// Plays games of random moves; each game is an item.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn random_games(bencher: Bencher<'_, '_>) {
    const GAMES: u64 = 2000;
    bencher.counter(ItemsCount::new(GAMES)).bench(|| {
        let mut random = Random::new(1);
        let mut plies = 0;
        for _ in 0..GAMES {
            let mut position = DiceChess::default();
            while position.outcome().is_none() {
                let roll = draw(DiceChess::DICE, &mut random);
                if let Some(mv) = position.pick(roll, &mut random) {
                    position.play(roll, mv);
                    plies += 1;
                }
            }
        }
        plies
    });
}

/// The share of rolls that capture the king.
#[divan::bench(types = [OneDie, ThreeDice])]
fn king_capture_chance<R: DiceCount>(bencher: Bencher<'_, '_>) {
    let position = kiwipete::<R>();
    bencher.bench(|| black_box(&position).king_capture_chance());
}

/// Finds all ends of turns with each of the 56 rolls of three dice.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn all_turns(bencher: Bencher<'_, '_>) {
    let position: DiceChess3 = kiwipete();
    let mut fan = Fan::default();
    position.fan(&mut fan);
    bencher.counter(ItemsCount::new(fan.ends().len())).bench_local(|| {
        position.fan(&mut fan);
        fan.ends().len()
    });
}
