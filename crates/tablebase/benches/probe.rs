//! The time that a probe takes.

use std::sync::LazyLock;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use wurfel_core::{Endgame, Random};
use wurfel_games::Playable;
use wurfel_games::einstein::Einstein;
use wurfel_tablebase::{Build, Tables, build};

fn main() {
    divan::main();
}

const PIECES: [u32; 2] = [3, 4];

/// All tables with up to four pieces.
static TABLES: LazyLock<(tempfile::TempDir, Tables<Einstein>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Build { pieces: 4, threads: 2, memory: 1 << 30 };
    let tables = Tables::ready("einstein", folder.path(), settings).expect("tables");
    (folder, tables)
});

/// Few enough positions to stay in the CPU's caches.
fn positions(pieces: u32) -> Vec<Einstein> {
    let mut random = Random::new(1);
    let scattered = std::iter::repeat_with(|| Einstein::default().scattered(pieces, &mut random));
    scattered.flatten().take(500).collect()
}

#[divan::bench(args = PIECES)]
fn number(bencher: Bencher, pieces: u32) {
    let positions = positions(pieces);
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        positions
            .iter()
            .filter_map(|position| black_box(position).place(4))
            .map(|p| p.index)
            .sum::<u64>()
    });
}

#[divan::bench(args = PIECES)]
fn probe(bencher: Bencher, pieces: u32) {
    let positions = positions(pieces);
    let (_, tables) = &*TABLES;
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        positions.iter().filter_map(|position| tables.probe(black_box(position))).sum::<f32>()
    });
}

/// Builds all tables with up to `pieces` pieces, on two threads.
#[divan::bench(args = [3, 4], sample_count = 5)]
fn build_all(pieces: u32) -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Build { pieces, threads: 2, memory: 1 << 30 };
    build::<Einstein>("einstein", folder.path(), settings, |_| true).expect("tables")
}
