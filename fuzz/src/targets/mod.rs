//! The targets, a file for each subject.

mod checks;
mod configs;
mod cups;
mod experiments;
mod features;
mod inference;
mod messages;
mod moves;
mod networks;
mod positions;
mod protocol;
mod records;
mod results;
mod resumed;
mod rollouts;
mod runs;
mod searches;
mod sessions;
mod specs;
mod tables;
mod texts;
mod training;
mod weights;
mod work;

/// A fuzz target.
#[derive(Debug)]
pub struct Target {
    /// The name in commands, and of its corpus.
    pub name: &'static str,
    /// What it reads or compares, in one line.
    pub about: &'static str,
    fuzz: fn(&[u8]),
}

/// All targets: first the readers, then the comparisons.
pub const TARGETS: [Target; 29] = [
    Target {
        name: "positions",
        about: "positions, rolls, moves and set-ups of every rule set, their pictures and planes",
        fuzz: positions::fuzz,
    },
    Target {
        name: "specs",
        about: "agent specs with their options, programs that a site offers, times",
        fuzz: specs::fuzz,
    },
    Target {
        name: "records",
        about: "games in any form of every rule set: lines of JSON, move lists, rooms",
        fuzz: records::fuzz,
    },
    Target {
        name: "texts",
        about: "bytes in any encoding, as a whole and as a stream",
        fuzz: texts::fuzz,
    },
    Target { name: "wtn", about: "records of the Chinese championship", fuzz: records::fuzz_wtn },
    Target {
        name: "rooms",
        about: "what the site keeps of a game, and what people do in it",
        fuzz: messages::fuzz_rooms,
    },
    Target {
        name: "messages",
        about: "messages on sockets and bodies of requests, headers of proxies",
        fuzz: messages::fuzz,
    },
    Target {
        name: "protocol",
        about: "lines that engines and their drivers exchange",
        fuzz: protocol::fuzz,
    },
    Target { name: "configs", about: "TOML configurations of training", fuzz: configs::fuzz },
    Target { name: "networks", about: "network files (safetensors)", fuzz: networks::fuzz },
    Target {
        name: "checkpoints",
        about: "learners between two steps (safetensors)",
        fuzz: networks::fuzz_checkpoints,
    },
    Target { name: "tables", about: "endgame tables, whole and unfinished", fuzz: tables::fuzz },
    Target {
        name: "weights",
        about: "weights of learned, linear and perceptron evaluations",
        fuzz: weights::fuzz,
    },
    Target {
        name: "training",
        about: "files of positions; metrics, games and curves of training runs",
        fuzz: training::fuzz,
    },
    Target {
        name: "runs",
        about: "tournaments, matches and training runs as the site and the program read them",
        fuzz: runs::fuzz,
    },
    Target {
        name: "cups",
        about: "tournaments: TOML files, the files of their games, standings in every form",
        fuzz: cups::fuzz,
    },
    Target {
        name: "sessions",
        about: "the journal of a match at a real table",
        fuzz: sessions::fuzz,
    },
    Target {
        name: "experiments",
        about: "definitions of experiments, the papers' figures and results, with checks and pictures",
        fuzz: experiments::fuzz,
    },
    Target {
        name: "progress",
        about: "the files of an interrupted experiment",
        fuzz: experiments::fuzz_progress,
    },
    Target {
        name: "work",
        about: "jobs, and plans with the manifests and shards of their units",
        fuzz: work::fuzz,
    },
    Target {
        name: "rollouts",
        about: "saved rollouts and comparisons of moves, and their continuation",
        fuzz: rollouts::fuzz,
    },
    Target {
        name: "results",
        about: "results in files of matches and tournaments, and the ratings from them",
        fuzz: results::fuzz,
    },
    Target {
        name: "resumed",
        about: "interrupted files of a match and of positions, resumed",
        fuzz: resumed::fuzz,
    },
    Target {
        name: "moves",
        about: "lists of moves and what they lead to, against the naive twins",
        fuzz: moves::fuzz,
    },
    Target {
        name: "features",
        about: "incremental features and evaluations against recomputed ones",
        fuzz: features::fuzz,
    },
    Target {
        name: "inference",
        about: "batches and vector instructions against one board and portable code",
        fuzz: inference::fuzz,
    },
    Target {
        name: "searches",
        about: "Star1 and Star2 against plain expectiminimax",
        fuzz: searches::fuzz,
    },
    Target {
        name: "units",
        about: "endgame tables built in several runs against those built in one",
        fuzz: tables::fuzz_units,
    },
    Target {
        name: "merges",
        about: "matches and tournaments in units against those played in one run",
        fuzz: work::fuzz_merges,
    },
];

/// Runs a target over an input.
///
/// # Panics
/// When the input breaks it.
pub fn run(target: &Target, input: &[u8]) {
    (target.fuzz)(input);
}

/// The same for the target of this name: what cargo-fuzz calls.
///
/// # Panics
/// When there is no such target, or the input breaks it.
pub fn run_named(name: &str, input: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("the name of a target");
    run(target, input);
}
