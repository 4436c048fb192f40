//! scratch
use std::sync::Arc;
use std::time::Instant;
use wurfel_game::*;
use wurfel_games::einstein::*;
use wurfel_search::*;
fn main() {
    let z = Arc::new(Zweistein::<Official>::new());
    let p: Einstein = Default::default();
    for cut in [Cutoffs::Star2] {
        for d in 5..=8 {
            let t = Instant::now();
            let mut e = Star::new(
                Arc::clone(&z),
                cut,
                Arc::new(Table::new(256)),
                Budget { depth: Some(d), ..Default::default() },
            );
            let mut nodes = 0;
            let mut v = 0.0;
            for face in p.rolls() {
                let x = e.decide(Turn { position: &p, roll: face.item }, Budget::default());
                nodes += x.nodes;
                v += x.value.unwrap() / 6.0;
            }
            let s = t.elapsed().as_secs_f64();
            println!(
                "{cut:?} depth {d}: {v} {nodes} nodes {:.3} s {:.1} Mn/s",
                s,
                nodes as f64 / s / 1e6
            );
        }
    }
}
