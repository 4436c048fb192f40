//! Agents with a policy-value network.

use std::sync::Arc;
use wurfel_games::Learnable;

use wurfel_core::{Budget, Endgame, Evaluator, Network, UniformNetwork};
use wurfel_net::{EncodedNetwork, Model, NetError};
use wurfel_search::puct::{FirstPlay, Policy, Puct, Root, Selection};

use super::known::{TABLES, exact_values};
use super::{AgentInfo, Factory, OptionInfo, REUSE, TIME, TOTAL, TREE, is_open, paced};
use crate::limits::{parse_decimal, parse_number, parse_time, parse_yes};
use crate::{LimitError, Spec, SpecError};

const NET: OptionInfo = OptionInfo {
    name: "net",
    about: "network file, or uniform, which rates everything even; default: the game's own",
};
const PRECISION: OptionInfo = OptionInfo {
    name: "precision",
    about: "how the network is computed: f32, or int8, which is alike on every machine; f32 if left \
            out",
};
const SIMULATIONS: OptionInfo = OptionInfo {
    name: "simulations",
    about: "simulations for each decision, 1-10000000; default: 400",
};
const C: OptionInfo = OptionInfo { name: "c", about: "exploration constant, 0-10; default: 0.75" };
const FPU: OptionInfo = OptionInfo {
    name: "fpu",
    about: "first-play urgency reduction of untried moves, 0-1, or even: as an even position; \
            default: 0.15",
};
const GUMBEL: OptionInfo = OptionInfo {
    name: "gumbel",
    about: "moves for sequential halving at the root, 1-64, with simulations=; default: off",
};
const NOISE: OptionInfo = OptionInfo {
    name: "noise",
    about: "yes: Gumbel noise in that choice, as in self-play, with gumbel=; default: no",
};
const TEMPERATURE: OptionInfo = OptionInfo {
    name: "temperature",
    about: "how freely moves are sampled by visits or prior, 0-10; default: 0, the best move",
};
const BATCH: OptionInfo = OptionInfo {
    name: "batch",
    about: "turns evaluated together, 1-1024: faster, but selected on less evidence; default: 1",
};

const AFTERSTATES: OptionInfo = OptionInfo {
    name: "afterstates",
    about: "no: never evaluate positions before the roll, even if the network can; default: yes",
};

pub(super) const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "alphazero",
        about: "PUCT with a policy-value network and chance nodes (paper policy-value-network)",
        options: &[
            NET,
            PRECISION,
            SIMULATIONS,
            TIME,
            TOTAL,
            C,
            FPU,
            GUMBEL,
            NOISE,
            TEMPERATURE,
            BATCH,
            TREE,
            AFTERSTATES,
            TABLES,
            REUSE,
        ],
    },
    AgentInfo {
        name: "policy",
        about: "the policy of a network, without search",
        options: &[NET, PRECISION, TEMPERATURE],
    },
];

/// Makes networks of one kind: one for each worker. The networks share their weights.
pub type Networks<G> = Arc<dyn Fn() -> Box<dyn Network<G>> + Send + Sync>;

/// Makes `alphazero` players with networks in memory, bounded by `simulations`. `known` gives exact
/// values for leaves that it knows.
pub fn network_player<G: Learnable + Endgame>(
    networks: Networks<G>,
    simulations: u64,
    known: Option<Arc<dyn Evaluator<G>>>,
) -> Factory<G> {
    let budget = Budget { nodes: Some(simulations), ..Budget::default() };
    Arc::new(move || Box::new(Puct::new(networks(), budget).with_exact(known.clone())))
}

/// Makes the factory of a spec whose agent and option names have been checked.
pub(super) fn build<G: Learnable + Endgame>(spec: &Spec) -> Result<Factory<G>, SpecError> {
    let precision = spec.read("precision", parse_precision)?.unwrap_or(Precision::F32);
    let networks = spec.read("net", |path| read_network(path, precision))?;
    let networks = networks.map_or_else(|| default_network(spec, precision), Ok)?;
    let temperature = spec.decimal("temperature", 10.0, 0.0)?;
    if spec.name == "policy" {
        return Ok(Arc::new(move || Box::new(Policy::new(networks(), temperature))));
    }
    let Search { budget, selection, root, batch, open, reuse, asks_rest } = search(spec)?;
    let known = spec.read("tables", exact_values::<G>)?.flatten();
    let total = spec.read(TOTAL.name, parse_time)?;
    Ok(paced(total, budget, move |budget| {
        let player = Puct::new(networks(), budget).with(selection, root, temperature);
        let player = player.in_batches(batch).asking_at_rest(asks_rest).with_exact(known.clone());
        Box::new(player.in_open_tree(open).reusing(reuse))
    }))
}

/// How `alphazero` searches, whatever the game.
struct Search {
    budget: Budget<'static>,
    selection: Selection,
    root: Root,
    batch: usize,
    open: bool,
    reuse: bool,
    asks_rest: bool,
}

fn search(spec: &Spec) -> Result<Search, SpecError> {
    let defaults = Selection::default();
    let selection = Selection {
        c: spec.decimal("c", 10.0, defaults.c)?,
        first_play: spec.read("fpu", parse_first_play)?.unwrap_or(defaults.first_play),
    };
    let budget = Budget {
        nodes: spec.read("simulations", |text| parse_number(text, 1, 10_000_000))?,
        time: spec.read("time", parse_time)?,
        ..Budget::default()
    };
    let gumbel = spec.read("gumbel", |text| match budget.nodes {
        None => Err(LimitError("simulations beside gumbel".into())),
        Some(_) => parse_number(text, 1, 64),
    })?;
    let noise = spec.read("noise", |text| match gumbel {
        None => Err(LimitError("gumbel beside noise".into())),
        Some(_) => parse_yes(text),
    })?;
    let noise = noise.unwrap_or(false);
    let root =
        gumbel.map_or(Root::Puct, |most| Root::Gumbel { max_considered: most as usize, noise });
    let open = is_open(spec)?;
    let closed_only = |text: &str| match (text, open) {
        ("yes", true) => Err(LimitError("no with tree=open".into())),
        _ => parse_yes(text),
    };
    let reuse = spec.read("reuse", |text| match (text, gumbel) {
        ("yes", Some(_)) => Err(LimitError("no beside gumbel".into())),
        _ => closed_only(text),
    })?;
    Ok(Search {
        budget,
        selection,
        root,
        batch: spec.number("batch", 1024, 1)? as usize,
        open,
        reuse: reuse.unwrap_or(false),
        asks_rest: spec.read("afterstates", closed_only)?.unwrap_or(true),
    })
}

fn parse_first_play(text: &str) -> Result<FirstPlay, LimitError> {
    if text == "even" {
        return Ok(FirstPlay::Even);
    }
    let reduction = parse_decimal(text, 0.0, 1.0);
    let reduction = reduction.map_err(|_| LimitError("even or a number from 0 to 1".into()))?;
    Ok(FirstPlay::Below(reduction as f32))
}

/// The arithmetic with which a network is computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    F32,
    Int8,
}

fn parse_precision(text: &str) -> Result<Precision, LimitError> {
    match text {
        "f32" => Ok(Precision::F32),
        "int8" => Ok(Precision::Int8),
        _ => Err(LimitError("int8 or f32".into())),
    }
}

/// The network that ships with a game, or the uniform one.
///
/// # Panics
/// When the program was built with a damaged network or with one without scales, which a test rules
/// out.
fn default_network<G: Learnable + Endgame>(
    spec: &Spec,
    precision: Precision,
) -> Result<Networks<G>, SpecError> {
    let Some(file) = G::NETWORK else { return Ok(Arc::new(|| Box::new(UniformNetwork))) };
    let loaded = networks(spec.shipped(file)?, precision);
    Ok(loaded.expect("the network of the program is whole"))
}

/// The network in a file, or the uniform one.
fn read_network<G: Learnable + Endgame>(
    path: &str,
    precision: Precision,
) -> Result<Networks<G>, LimitError> {
    if path == "uniform" {
        return Ok(Arc::new(|| Box::new(UniformNetwork)));
    }
    let expected =
        |why: &dyn std::fmt::Display| LimitError(format!("uniform, or a network file ({why})"));
    let bytes = std::fs::read(path).map_err(|error| expected(&error))?;
    networks(&bytes, precision).map_err(|error| match error {
        NetError::NoScales => {
            let how = "`wurfel train quantise` adds them";
            LimitError(format!("a network with scales for precision=int8 ({how})"))
        }
        error => expected(&error),
    })
}

/// Makes the factory of networks from the bytes of a file.
fn networks<G: Learnable + Endgame>(
    bytes: &[u8],
    precision: Precision,
) -> Result<Networks<G>, NetError> {
    let model = Model::from_bytes(bytes)?;
    let network: EncodedNetwork<G> = match precision {
        Precision::F32 => EncodedNetwork::new(&model, G::ENCODINGS)?,
        Precision::Int8 => EncodedNetwork::in_int8(&model, G::ENCODINGS)?,
    };
    Ok(Arc::new(move || Box::new(network.clone())))
}
