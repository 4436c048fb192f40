//! The list of all measures. A new figure needs an entry here and nothing else.
//!
//! Lines are written as a person would type them; `PYTHON` stands for the Python of `--python`.
//! Lines that begin with `cargo` or `wurfel` must succeed. All other lines run peers, which may not
//! be installed.

use super::measure::{
    GAMES, MICROSECONDS, MILLISECONDS, Measure, NANOSECONDS, NODES, PLAYOUTS, POSITIONS, SECONDS,
    Source, analysed, evaluated, measure, played, rate, searched, simulated, source,
};
use super::reading::{Json, Meaning, Reading};

const RANDOM: &str = "cargo bench -p wurfel-arena --bench search -- '^search::random_games'";
const FROM_THE_START: Source = source(RANDOM, Reading::Items("random_games_from_the_start"));
const OPENSPIEL: &str = "PYTHON xtask/src/figures/openspiel.py";
const EVALUATIONS: &str = "cargo bench -p wurfel-games --bench einstein";
const DICE_CHESS: &str = "cargo bench -p wurfel-games --bench dicechess";
const DICE_CHESS_EVALUATIONS: &str = "wurfel bench --eval --game dicechess3 --json";
const TREE: &str =
    "cargo bench -p wurfel-arena --bench search -- '^search::(monte_carlo|alphazero)'";
const TABLES: &str = "cargo bench -p wurfel-tablebase --bench probe -- '::4$'";
const PAPER: &str = "cargo run --release -p wurfel-net --example compare -- PYTHON paper";
const NET: &str = "cargo bench -p wurfel-net --bench net -- '^net::training_on_threads'";
const SELF_PLAY: &str = "cargo run --release -p wurfel-train --example self_play -- 60 2 200";
const SELF_PLAY_OF_OPENSPIEL: &str = "PYTHON crates/train/examples/openspiel.py 60 2 200";
const START_UP: &str =
    "PYTHON xtask/src/figures/start_up.py wurfel analyse 'ABC2/DE3/F3f/3ed/2cba r 4 1' --depth 1";

/// All measures, in the order of the table.
pub const MEASURES: &[Measure] = &[
    measure(
        "random-games",
        "random games of EWN from random set-ups, one after the other",
        source(RANDOM, Reading::Items("random_games")),
        GAMES,
        "each move waits for the one before it: the core could do several things at once",
    )
    .beside("OpenSpiel's C++", source(OPENSPIEL, Reading::Line("random-games"))),
    measure(
        "random-games-twin",
        "the same with the plain rules of the tests",
        source(RANDOM, Reading::Items("random_games_of_the_naive_twin")),
        GAMES,
        "lists of moves in memory; it is there to be obvious, not quick",
    ),
    measure(
        "lanes-avx512",
        "random games of EWN from the start, 32,768 side by side",
        source(RANDOM, Reading::Items("random_games_together/32768/avx512")),
        GAMES,
        "arithmetic on 32 games at once; a lane whose game is over waits for the others of its share",
    )
    .needs("avx512f")
    .beside("one after the other", FROM_THE_START),
    measure(
        "lanes-avx2",
        "the same with AVX2",
        source(RANDOM, Reading::Items("random_games_together/32768/avx2")),
        GAMES,
        "as above, with half the width and without masks",
    )
    .needs("avx2")
    .beside("one after the other", FROM_THE_START),
    measure(
        "lanes-64",
        "the same, 64 at a time, with AVX-512",
        source(RANDOM, Reading::Items("random_games_together/64/avx512")),
        GAMES,
        "two games a lane: most lanes wait for the longest game",
    )
    .needs("avx512f")
    .beside("one after the other", FROM_THE_START),
    measure(
        "zweistein",
        "evaluation `zweistein` of EWN",
        source(EVALUATIONS, Reading::Items("evaluation/zweistein")),
        NANOSECONDS,
        "three look-ups, the last in a table of 4.7 MB that does not fit into the L2 cache",
    )
    .beside("the paper's sum in Rust", source(EVALUATIONS, Reading::Items("plain_sum"))),
    measure(
        "schwarz-score",
        "evaluation `schwarz-score`",
        source(EVALUATIONS, Reading::Items("evaluation/schwarz-score")),
        NANOSECONDS,
        "not profiled",
    ),
    measure(
        "odema",
        "evaluation `odema`",
        source(EVALUATIONS, Reading::Items("evaluation/odema")),
        NANOSECONDS,
        "not profiled",
    ),
    measure(
        "composite",
        "evaluation `composite`",
        source(EVALUATIONS, Reading::Items("evaluation/composite")),
        NANOSECONDS,
        "not profiled",
    ),
    measure(
        "attack-defence",
        "evaluation `attack-defence`",
        source(EVALUATIONS, Reading::Items("evaluation/attack-defence")),
        NANOSECONDS,
        "not profiled",
    ),
    measure(
        "learned",
        "evaluation `learned` of EWN",
        source(EVALUATIONS, Reading::Items("evaluation/learned")),
        NANOSECONDS,
        "not profiled alone; in a search a leaf goes on from its parent's hidden units",
    ),
    measure(
        "learned-three-dice",
        "evaluation `learned` of Dice Chess with three dice",
        evaluated(DICE_CHESS_EVALUATIONS, &[("evaluation", "learned")]),
        NANOSECONDS,
        "not profiled",
    ),
    measure(
        "threats-three-dice",
        "evaluation `threats` of Dice Chess with three dice",
        evaluated(DICE_CHESS_EVALUATIONS, &[("evaluation", "threats")]),
        MICROSECONDS,
        "the exact chance to capture the king: each first move is played",
    ),
    measure(
        "expecti",
        "`expecti:depth=6` in EWN",
        searched(&[("game", "einstein"), ("agent", "expecti:depth=6")]),
        NODES,
        "look-ups of the evaluation, which the moves wait for",
    ),
    measure(
        "star2",
        "`star2:depth=8` in EWN",
        searched(&[("game", "einstein"), ("agent", "star2:depth=8")]),
        NODES,
        "memory: the transposition table is larger than the caches",
    ),
    measure(
        "expecti-dicechess",
        "`expecti:depth=4` in Dice Chess",
        searched(&[("game", "dicechess"), ("agent", "expecti:depth=4")]),
        NODES,
        "not profiled",
    ),
    measure(
        "star2-dicechess",
        "`star2:depth=4` in Dice Chess",
        searched(&[("game", "dicechess"), ("agent", "star2:depth=4")]),
        NODES,
        "not profiled",
    ),
    measure(
        "decide-8",
        "`star2` finds the best move for each of the six rolls of the start, depth 8",
        source(
            "cargo bench -p wurfel-arena --bench search -- '^search::star2_decides_all_rolls::8$'",
            Reading::Time("star2_decides_all_rolls/8"),
        ),
        SECONDS,
        "memory: the transposition table is larger than the caches",
    ),
    measure(
        "decide-9",
        "the same, depth 9, with a table of 256 MB",
        source(
            "cargo bench -p wurfel-arena --bench search -- '^search::star2_decides_all_rolls::9$'",
            Reading::Time("star2_decides_all_rolls/9"),
        ),
        SECONDS,
        "memory: the transposition table is larger than the caches",
    ),
    measure(
        "analyse-expecti-6",
        "all moves of all rolls of the start, `expecti`, depth 6",
        analysed(
            "wurfel analyse 'ABC2/DE3/F3f/3ed/2cba r - 1' --agent expecti --depth 6 --json",
        ),
        SECONDS,
        "as `expecti`",
    ),
    measure(
        "analyse-star2-8",
        "the same, `star2`, depth 8",
        analysed("wurfel analyse 'ABC2/DE3/F3f/3ed/2cba r - 1' --agent star2 --depth 8 --json"),
        SECONDS,
        "memory: the transposition table is larger than the caches",
    ),
    measure(
        "analyse-star2-8-two",
        "the same on two threads",
        analysed(
            "wurfel analyse 'ABC2/DE3/F3f/3ed/2cba r - 1' --agent star2:threads=2 --depth 8 --json",
        ),
        SECONDS,
        "not profiled",
    ),
    measure(
        "analyse-star2-9",
        "the same, `star2:hash=256`, depth 9",
        analysed(
            "wurfel analyse 'ABC2/DE3/F3f/3ed/2cba r - 1' --agent star2:hash=256 --depth 9 --json",
        ),
        SECONDS,
        "as `analyse-star2-8`, with a larger table",
    ),
    measure(
        "perft-dicechess",
        "sequences of five moves from Kiwipete in Dice Chess, counted at the last",
        source(DICE_CHESS, Reading::Items("perft_5")),
        rate("M/s", 1e6),
        "the moves before the last are played one by one; there is no check, so that no move has to be left out, as in a perft of chess",
    ),
    measure(
        "random-games-dicechess",
        "random games of Dice Chess with one die, of 108 plies",
        source(DICE_CHESS, Reading::Items("random_games")),
        rate("k games/s", 1e3),
        "not profiled",
    ),
    measure(
        "turns-three-dice",
        "ends of turns of Dice Chess with three dice, each once",
        source(DICE_CHESS, Reading::Items("all_turns")),
        rate("M/s", 1e6),
        "not profiled",
    ),
    measure(
        "uct",
        "`uct`, a search of 100,000 playouts from the start",
        source(TREE, Reading::Items("monte_carlo_tree/Closed")),
        PLAYOUTS,
        "one playout a leaf, and its tree no longer fits into the L2 cache",
    )
    .beside("OpenSpiel's C++", source(OPENSPIEL, Reading::Line("uct"))),
    measure(
        "uct-million",
        "`uct`, a search of 1,000,000 playouts",
        simulated("wurfel analyse 'ABC2/DE3/F3f/3ed/2cba r 4 1' --agent uct:playouts=1000000 --json"),
        PLAYOUTS,
        "memory: more than a third of the time goes to waiting for the tree",
    ),
    measure(
        "alphazero",
        "`alphazero`, 400 simulations from the start",
        source(TREE, Reading::Items("alphazero")),
        rate("simulations/s", 1.0),
        "the network, which evaluates one turn at a time",
    )
    .beside("its network alone", source(TREE, Reading::Items("alphazero_network"))),
    measure(
        "alphazero-int8",
        "`alphazero:precision=int8`, 20,000 simulations from the start",
        simulated(
            "wurfel analyse 'ABC2/DE3/F3f/3ed/2cba r 4 1' \
             --agent alphazero:precision=int8,simulations=20000 --json",
        ),
        rate("simulations/s", 1.0),
        "the network, as above",
    )
    .beside(
        "in floating point",
        simulated(
            "wurfel analyse 'ABC2/DE3/F3f/3ed/2cba r 4 1' \
             --agent alphazero:simulations=20000 --json",
        ),
    ),
    measure(
        "self-play",
        "games of a network of the shipped shape against itself, 200 simulations for every decision, \
         two threads",
        source(SELF_PLAY, Reading::Line("games")),
        rate("games/s", 1.0),
        "four fifths multiplications of the network, an eighth clearing and copying its boards",
    )
    .beside("OpenSpiel's AlphaZero", source(SELF_PLAY_OF_OPENSPIEL, Reading::Line("games"))),
    measure(
        "self-play-decisions",
        "the decisions in them, which are the samples to learn from",
        source(SELF_PLAY, Reading::Line("decisions")),
        rate("decisions/s", 1.0),
        "as above",
    )
    .beside("OpenSpiel's AlphaZero", source(SELF_PLAY_OF_OPENSPIEL, Reading::Line("decisions"))),
    measure(
        "match",
        "`wurfel match random random`, all cores",
        played("wurfel match random random --pairs 500000 --seed 1 --json"),
        GAMES,
        "the referee: the clock is read twice for each move (a fifth of the time), each move is checked, and each pair has set-ups, dice and agents from seeds of its own",
    ),
    measure(
        "match-records",
        "the same with `--out`",
        played(
            "wurfel match random random --pairs 100000 --seed 1 \
             --out target/figures/games.jsonl --json",
        ),
        rate("k games/s", 1e3),
        "not profiled; every move is written as text",
    ),
    measure(
        "pipes",
        "a move of another program over pipes, wurfel itself, on one CPU",
        source(
            "taskset -c 0 wurfel match 'cmd:\"wurfel engine random\"' random \
             --pairs 1000 --jobs 1 --seed 1 --json",
            Reading::Json(Json {
                within: "agents",
                having: &[],
                field: "mean_ms",
                meaning: Meaning::Milliseconds,
            }),
        ),
        MICROSECONDS,
        "the system: two changes of the process, and text read and written on both ends",
    ),
    measure(
        "table-number",
        "the number of a position with 4 cubes in its tablebase",
        source(TABLES, Reading::Items("number/4")),
        NANOSECONDS,
        "not profiled",
    ),
    measure(
        "table-probe",
        "a probe of the tablebase, that included",
        source(TABLES, Reading::Items("probe/4")),
        NANOSECONDS,
        "the number; the values of 500 positions stay in the caches",
    ),
    measure(
        "table-build",
        "all tablebases of EWN up to 4 cubes, two threads",
        source(TABLES, Reading::Time("build_all/4")),
        SECONDS,
        "not profiled",
    ),
    measure(
        "network-1",
        "inference, the paper's network, batch 1, floating point, AVX-512",
        source(PAPER, Reading::Compared("1 f32 avx512")),
        POSITIONS,
        "reading the weights, which are larger than the L2 cache",
    )
    .needs("avx512f")
    .beside("onnxruntime", source(PAPER, Reading::Compared("1 onnxruntime f32"))),
    measure(
        "network-64",
        "the same, batch 64",
        source(PAPER, Reading::Compared("64 f32 avx512")),
        POSITIONS,
        "multiplications, and waiting for the transformed weights (12.8 MB)",
    )
    .needs("avx512f")
    .beside("onnxruntime", source(PAPER, Reading::Compared("64 onnxruntime f32"))),
    measure(
        "network-256",
        "the same, batch 256",
        source(PAPER, Reading::Compared("256 f32 avx512")),
        POSITIONS,
        "as above",
    )
    .needs("avx512f")
    .beside("onnxruntime", source(PAPER, Reading::Compared("256 onnxruntime f32"))),
    measure(
        "network-64-avx2",
        "the same, batch 64, AVX2",
        source(PAPER, Reading::Compared("64 f32 avx2")),
        POSITIONS,
        "multiplications: half the width",
    )
    .needs("avx2")
    .beside("onnxruntime", source(PAPER, Reading::Compared("64 onnxruntime f32"))),
    measure(
        "network-64-portable",
        "the same, batch 64, any CPU",
        source(PAPER, Reading::Compared("64 f32 portable")),
        POSITIONS,
        "multiplications: four at a time",
    )
    .beside("onnxruntime", source(PAPER, Reading::Compared("64 onnxruntime f32"))),
    measure(
        "network-int8-1",
        "the same in eight bits, batch 1, AVX-512 VNNI",
        source(PAPER, Reading::Compared("1 int8 avx512-vnni")),
        POSITIONS,
        "reading the weights, which take an eighth of the memory of Winograd's or less",
    )
    .needs("avx512_vnni")
    .beside("onnxruntime in eight bits", source(PAPER, Reading::Compared("1 onnxruntime int8"))),
    measure(
        "network-int8-1-beside-f32",
        "the same eight bits, batch 1, beside floating point",
        source(PAPER, Reading::Compared("1 int8 avx512-vnni")),
        POSITIONS,
        "as `network-int8-1`",
    )
    .needs("avx512_vnni")
    .beside("onnxruntime", source(PAPER, Reading::Compared("1 onnxruntime f32"))),
    measure(
        "network-int8-64",
        "the same, batch 64",
        source(PAPER, Reading::Compared("64 int8 avx512-vnni")),
        POSITIONS,
        "not profiled",
    )
    .needs("avx512_vnni")
    .beside("onnxruntime in eight bits", source(PAPER, Reading::Compared("64 onnxruntime int8"))),
    measure(
        "network-int8-64-beside-f32",
        "the same eight bits, batch 64, beside floating point",
        source(PAPER, Reading::Compared("64 int8 avx512-vnni")),
        POSITIONS,
        "as `network-int8-64`",
    )
    .needs("avx512_vnni")
    .beside("onnxruntime", source(PAPER, Reading::Compared("64 onnxruntime f32"))),
    measure(
        "learning",
        "learning, the paper's network, batch 1,024, samples a second, AVX-512",
        source(PAPER, Reading::Compared("learning avx512")),
        rate("samples/s", 1.0),
        "memory: the weights by point (12.8 MB) are read three times and written twice for each \
         group of boards",
    )
    .needs("avx512f")
    .beside("PyTorch", source(PAPER, Reading::Compared("learning PyTorch"))),
    measure(
        "learning-two",
        "the same on two threads, on the clock",
        source(NET, Reading::Items("training_on_threads/2")),
        rate("samples/s", 1.0),
        "the threads wait for each other at each norm",
    )
    .beside("on one thread", source(NET, Reading::Items("training_on_threads/1"))),
    measure(
        "start-up",
        "CPU time of a process of `wurfel` in which `champion` looks one turn ahead",
        source(START_UP, Reading::Line("start-up")),
        MILLISECONDS,
        "the tables of `zweistein`, which are calculated",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_different_words_and_cells_do_not_break_the_table() {
        let mut names = BTreeSet::new();
        for measure in MEASURES {
            assert!(names.insert(measure.name), "{} twice", measure.name);
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(measure.name.chars().all(plain), "{}", measure.name);
            let peer = measure.peer.as_ref().map_or("", |peer| peer.name);
            for cell in [measure.work, measure.limit, peer, measure.unit.name] {
                assert!(!cell.contains('|'), "{cell}");
            }
        }
    }

    #[test]
    fn lines_are_lines_of_a_shell() {
        for source in MEASURES.iter().flat_map(Measure::sources) {
            assert!(shlex::split(source.line).is_some_and(|words| words.len() > 1));
        }
    }
}
