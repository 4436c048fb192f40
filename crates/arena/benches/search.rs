//! The speed of searches and of what they spend their time on: random games, also by a naive
//! implementation of the rules for comparison, perft, expectiminimax, and Monte Carlo trees.

#[path = "../../games/tests/naive/mod.rs"]
mod naive;

use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use wurfel_core::{
    Agent, Budget, Game, Network, Outcome, Predictions, Random, Side, Situation, Turn, perft,
};
use wurfel_games::einstein::{Einstein, Official, RandomGameInstructions, Zweistein};
use wurfel_games::{Learnable, Playable, ShippedFile};
use wurfel_net::{EncodedNetwork, Model};
use wurfel_search::mcts::{FullPlayout, Mcts, MctsSettings, TreeForm, Ucb, Uniform};
use wurfel_search::puct::Puct;
use wurfel_search::{Cutoffs, Expecti, Star, TranspositionTable};

fn main() {
    divan::main();
}

/// Games in a sample.
const GAMES: u32 = 1000;

/// Random games from random set-ups; an item is a game.
#[divan::bench]
fn random_games(bencher: Bencher<'_, '_>) {
    let mut random = Random::new(1);
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        let wins = (0..GAMES).filter(|_| {
            let start = Einstein::default().setup(&mut random);
            start.random_game(None, &mut random).outcome == Outcome::Win(Side::First)
        });
        wins.count()
    });
}

/// Random games from the start, one after the other; an item is a game.
#[divan::bench]
fn random_games_from_the_start(bencher: Bencher<'_, '_>) {
    let mut random = Random::new(1);
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        let game = |_| Einstein::default().random_game(None, &mut random).plies;
        (0..GAMES).map(game).sum::<u32>()
    });
}

/// Random games from the start in batches of several sizes, with each set of instructions that this
/// CPU has; an item is a game.
#[divan::bench(args = RandomGameInstructions::available(), consts = [8, 64, 512, 32_768])]
fn random_games_together<const N: u32>(
    bencher: Bencher<'_, '_>,
    instructions: RandomGameInstructions,
) {
    let mut random = Random::new(1);
    bencher.counter(ItemsCount::new(N)).bench_local(|| {
        Einstein::default().random_games_with(instructions, None, N, &mut random).plies
    });
}

/// The same by the naive rules, without tables or bit tricks.
#[divan::bench]
fn random_games_of_the_naive_twin(bencher: Bencher<'_, '_>) {
    let mut random = Random::new(1);
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        let wins = (0..GAMES).filter(|_| {
            let mut position = naive::random_setup(&mut |n| random.below(n));
            while position.winner().is_none() {
                let moves = position.moves(random.below(6) as u8 + 1);
                let &(from, to) = random.pick(&moves);
                position = position.play(from, to);
            }
            position.winner() == Some(true)
        });
        wins.count()
    });
}

/// Sequences of five turns from the start, an item each.
#[divan::bench]
fn perft_5(bencher: Bencher<'_, '_>) {
    let sequences = |depth| perft(&Einstein::default(), None, depth).pop().unwrap_or_default();
    bencher.counter(ItemsCount::new(sequences(5) as usize)).bench(|| sequences(5));
}

/// The start with a 4 rolled.
fn start() -> (Einstein, <Einstein as Game>::Roll) {
    let text = format!("{} 4 1", Einstein::default().to_string().trim_end_matches(" - 1"));
    let Ok(Situation { position, roll: Some(roll) }) = Einstein::read(&text) else {
        unreachable!("the start with a roll is a position: {text}");
    };
    (position, roll)
}

/// Five turns from the start with a 4 rolled; an item is a position.
#[divan::bench(sample_count = 20)]
fn expectiminimax_5(bencher: Bencher<'_, '_>) {
    let (position, roll) = start();
    let turn = Turn { position: &position, roll };
    let budget = Budget { depth: Some(5), ..Budget::default() };
    let mut player = Expecti::new(Zweistein::<Official>::new(), budget);
    let nodes = player.decide(turn, Budget::default()).nodes;
    bencher
        .counter(ItemsCount::new(nodes as usize))
        .bench_local(|| player.decide(turn, Budget::default()));
}

/// Star2 decides on each roll of the start, with a table of 64 MB, or of 256 MB from depth 9 on; an
/// item is a position.
#[divan::bench(sample_count = 3, sample_size = 1, args = [6, 7, 8, 9])]
fn star2_decides_all_rolls(bencher: Bencher<'_, '_>, depth: u32) {
    let start = Einstein::default();
    let evaluator = Arc::new(Zweistein::<Official>::new());
    let decide = || -> u64 {
        let table = Arc::new(TranspositionTable::new(if depth < 9 { 64 } else { 256 }));
        let budget = Budget { depth: Some(depth), ..Budget::default() };
        let mut player = Star::new(Arc::clone(&evaluator), Cutoffs::Star2, table, budget);
        let turns = start.rolls().iter().map(|face| Turn { position: &start, roll: face.item });
        turns.map(|turn| player.decide(turn, Budget::default()).nodes).sum()
    };
    bencher.counter(ItemsCount::new(decide() as usize)).bench_local(decide);
}

/// A tree of 100,000 playouts from the start with a 4 rolled; an item is a playout.
#[divan::bench(sample_count = 20, args = [TreeForm::Closed, TreeForm::Proving, TreeForm::Open])]
fn monte_carlo_tree(bencher: Bencher<'_, '_>, form: TreeForm) {
    let (position, roll) = start();
    let turn = Turn { position: &position, roll };
    let budget = Budget { nodes: Some(100_000), ..Budget::default() };
    let mut player = Mcts::new(Ucb::new(1.0), FullPlayout(Uniform), budget, Random::new(1))
        .with(MctsSettings { form, ..MctsSettings::default() });
    bencher
        .counter(ItemsCount::new(100_000u32))
        .bench_local(|| player.decide(turn, Budget::default()));
}

/// Simulations of a decision, each with an evaluation.
const SIMULATIONS: usize = 400;

/// The network that ships.
fn network() -> EncodedNetwork<Einstein> {
    let bytes = Einstein::NETWORK.and_then(ShippedFile::bytes).expect("the game has one");
    let model = Model::from_bytes(bytes).expect("it is whole");
    EncodedNetwork::new(&model, Einstein::ENCODINGS).expect("an encoding of the game")
}

/// A decision of `alphazero` from the start; an item is a simulation.
#[divan::bench]
fn alphazero(bencher: Bencher<'_, '_>) {
    let budget = Budget { nodes: Some(SIMULATIONS as u64), ..Budget::default() };
    let mut player = Puct::new(network(), budget);
    let position = Einstein::default();
    let turn = Turn { position: &position, roll: position.rolls()[0].item };
    bencher
        .counter(ItemsCount::new(SIMULATIONS))
        .bench_local(|| player.decide(turn, Budget::default()));
}

/// The evaluations of the same network without the tree.
#[divan::bench]
fn alphazero_network(bencher: Bencher<'_, '_>) {
    let mut network = network();
    let mut random = Random::new(1);
    let turns: Vec<Situation<Einstein>> = (0..=SIMULATIONS)
        .map(|_| {
            let position = Einstein::default().setup(&mut random);
            Situation { position, roll: Some(position.rolls()[0].item) }
        })
        .collect();
    let mut predictions = Predictions::default();
    bencher.counter(ItemsCount::new(SIMULATIONS)).bench_local(|| {
        for turn in turns.chunks(1) {
            network.infer(turn, &mut predictions);
        }
    });
}
