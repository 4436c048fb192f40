//! The kernels: for each its name and how it is prepared.

use std::hint::black_box;
use std::sync::Arc;

use wurfel_core::{Agent, Budget, Evaluator, Fan, Game, Random, Situation, Turn, draw, perft};
use wurfel_games::dicechess::{
    DiceChess, DiceChess3, OneDie, Position, ThreeDice, learned as learned_chess,
};
use wurfel_games::einstein::{Einstein, Official, Zweistein};
use wurfel_games::{Playable, UseEvaluation, shipped_replies};
use wurfel_net::{
    Architecture, Forward, Inference, Instructions, Int8Inference, Int8Instructions, Method, Model,
};
use wurfel_search::mcts::{FullPlayout, Mcts, Ucb, Uniform};
use wurfel_search::{Cutoffs, Expecti, Filter, Selective, Star, TranspositionTable};
use wurfel_tablebase::{Build, Tables};

use crate::games::{positions, record, start, wtn};

type Work = Box<dyn FnMut()>;

type Kernel = (&'static str, fn() -> Work);

/// Each does some ten million instructions.
pub const KERNELS: [Kernel; 15] = [
    ("perft-ewn", perft_ewn),
    ("perft-dicechess", perft_dicechess),
    ("turns-three-dice", turns_three_dice),
    ("random-games", random_games),
    ("random-games-dicechess", random_games_dicechess),
    ("zweistein", zweistein),
    ("learned", learned),
    ("expectiminimax", expectiminimax),
    ("star2", star2),
    ("selective-three-dice", selective_three_dice),
    ("uct", uct),
    ("table-probe", table_probe),
    ("network", network),
    ("network-int8", network_int8),
    ("record", read_record),
];

/// A position with many moves of every kind, well known from tests of chess programs.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn perft_ewn() -> Work {
    let start = Einstein::default();
    Box::new(move || {
        black_box(perft(black_box(&start), None, 4));
    })
}

fn perft_dicechess() -> Work {
    let position: Position<OneDie> = KIWIPETE.parse().expect("a position");
    Box::new(move || {
        black_box(perft(black_box(&position), None, 4));
    })
}

fn turns_three_dice() -> Work {
    let position: DiceChess3 = KIWIPETE.parse().expect("a position");
    let mut fan = Fan::default();
    Box::new(move || {
        position.fan(&mut fan);
        black_box(fan.ends().len());
    })
}

fn random_games() -> Work {
    let mut random = Random::new(1);
    Box::new(move || {
        for _ in 0..10_000 {
            black_box(Einstein::default().random_game(None, &mut random).plies);
        }
    })
}

fn random_games_dicechess() -> Work {
    let mut random = Random::new(1);
    Box::new(move || {
        for _ in 0..200 {
            let mut position = DiceChess::default();
            while position.outcome().is_none() {
                let roll = draw(DiceChess::DICE, &mut random);
                if let Some(mv) = position.pick(roll, &mut random) {
                    position.play(roll, mv);
                }
            }
            black_box(&position);
        }
    })
}

/// An evaluation of the same positions, repeated this many times.
struct Evaluate(u32);

impl UseEvaluation<Einstein> for Evaluate {
    type Output = Work;

    fn with<E: Evaluator<Einstein> + 'static>(self, evaluator: E) -> Work {
        let positions = positions(4096);
        Box::new(move || {
            for _ in 0..self.0 {
                let each =
                    black_box(&positions).iter().map(|position| evaluator.evaluate(position));
                black_box(each.sum::<f32>());
            }
        })
    }
}

fn zweistein() -> Work {
    Einstein::evaluation("zweistein", Evaluate(100)).expect("it is listed")
}

fn learned() -> Work {
    Einstein::evaluation("learned", Evaluate(10)).expect("it is listed")
}

/// A decision with a 4 rolled at the start.
fn decide(mut agent: impl Agent<Einstein> + 'static) -> Work {
    let (position, roll) = start();
    Box::new(move || {
        let turn = Turn { position: &position, roll };
        black_box(agent.decide(turn, Budget::default()).nodes);
    })
}

fn expectiminimax() -> Work {
    let budget = Budget { depth: Some(5), ..Budget::default() };
    decide(Expecti::new(Zweistein::<Official>::new(), budget))
}

fn star2() -> Work {
    let budget = Budget { depth: Some(6), ..Budget::default() };
    let table = Arc::new(TranspositionTable::new(16));
    decide(Star::new(Arc::new(Zweistein::<Official>::new()), Cutoffs::Star2, table, budget))
}

fn selective_three_dice() -> Work {
    let text = "r1bqk2r/pp1p1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQ1RK1 b kq - 0 6 PPQ";
    let Situation { position, roll: Some(roll) } = text.parse().expect("a position") else {
        unreachable!("a position with a roll: {text}")
    };
    let position: DiceChess3 = position;
    let filter = Filter { candidates: 3, ..Filter::default() };
    let budget = Budget { depth: Some(2), ..Budget::default() };
    let evaluator = Arc::new(learned_chess::<ThreeDice>());
    let replies = shipped_replies().expect("the game has a preference");
    let mut agent = Selective::new(evaluator, replies, filter, budget);
    Box::new(move || {
        let turn = Turn { position: &position, roll };
        black_box(agent.decide(turn, Budget::default()).nodes);
    })
}

fn uct() -> Work {
    let budget = Budget { nodes: Some(10_000), ..Budget::default() };
    decide(Mcts::new(Ucb::new(1.0), FullPlayout(Uniform), budget, Random::new(1)))
}

fn table_probe() -> Work {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Build { pieces: 3, threads: 1, memory: 1 << 30 };
    let tables = Tables::<Einstein>::ready("einstein", folder.path(), settings).expect("tables");
    let mut random = Random::new(1);
    let scattered = std::iter::repeat_with(|| Einstein::default().scattered(3, &mut random));
    let positions: Vec<Einstein> = scattered.flatten().take(500).collect();
    Box::new(move || {
        // The files stay until the work is done.
        let _ = &folder;
        for _ in 0..100 {
            let values = black_box(&positions).iter().filter_map(|position| tables.probe(position));
            black_box(values.sum::<f32>());
        }
    })
}

/// A residual tower, as small as it may be to use every kind of layer, and planes for it.
fn model(batch: usize) -> (Model, Vec<f32>) {
    let architecture = Architecture::paper(5, 16, 27).with_tower(32, 1, 1);
    let mut random = Random::new(1);
    let mut model = Model::new(architecture, "toy", &mut random).expect("a sound architecture");
    let numbers = batch * architecture.planes * architecture.cells();
    let planes: Vec<f32> = (0..numbers).map(|_| random.below(2) as f32).collect();
    model.quantise(&planes);
    (model, planes)
}

fn infer(mut inference: impl Forward + 'static, planes: Vec<f32>, batch: usize) -> Work {
    let mut logits = vec![0.0; batch * inference.architecture().moves];
    let mut values = vec![0.0; batch];
    let mut work = move || {
        inference.infer(&planes, &mut logits, &mut values);
        black_box(&values);
    };
    // The first batch prepares weights and memory.
    work();
    Box::new(work)
}

fn network() -> Work {
    const BATCH: usize = 16;
    let (model, planes) = model(BATCH);
    infer(Inference::with(&model, Instructions::PORTABLE, Method::Winograd), planes, BATCH)
}

fn network_int8() -> Work {
    const BATCH: usize = 2;
    let (model, planes) = model(BATCH);
    let inference = Int8Inference::with(&model, Int8Instructions::PORTABLE);
    infer(inference.expect("it has scales"), planes, BATCH)
}

fn read_record() -> Work {
    let text = record();
    Box::new(move || {
        for _ in 0..200 {
            black_box((wtn().read)(black_box(&text), 1).is_ok());
        }
    })
}
