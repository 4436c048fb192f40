//! The Monte Carlo agents: tree searches with playouts, and flat Monte Carlo.

use std::sync::Arc;
use std::time::Duration;

use wurfel_core::{Agent, Budget, Endgame, Evaluator, Even, Random, UnknownName};
use wurfel_games::{Learnable, UseEvaluation};
use wurfel_search::mcts::{
    DynamicUcb, EvaluateAtOnce, FinalMove, Flat, FullPlayout, Huct, HuctSettings, LearningRate,
    Mcts, MctsSettings, Playout, Preferred, ProgressiveBias, Select, TreeForm, TruncatedPlayout,
    Ucb, Uniform,
};

use super::guided;
use super::{
    AgentInfo, EVAL, Factory, OptionInfo, REUSE, TIME, TOTAL, TREE, evaluation, is_open, paced,
};
use crate::limits::{parse_number, parse_time, parse_yes};
use crate::{LimitError, Spec, SpecError};

const PLAYOUTS: OptionInfo = OptionInfo {
    name: "playouts",
    about: "playouts for each decision, at least 1; default: 10000 (mcts: 2000)",
};
const C: OptionInfo = OptionInfo {
    name: "c",
    about: "exploration constant, 0-10; default: 1 (mcts: 0.8, hpmcts: 2)",
};
const PLAYOUT: OptionInfo = OptionInfo {
    name: "playout",
    about: "random, greedy, or eval: evaluate the leaf instead; default: random",
};
const CUT: OptionInfo = OptionInfo {
    name: "cut",
    about: "turns after which a playout is evaluated, 1-1000; default: played to the end",
};
const BIAS: OptionInfo = OptionInfo {
    name: "bias",
    about: "weight of the evaluation for moves with few visits, 0-100; default: 0",
};
const SOLVER: OptionInfo =
    OptionInfo { name: "solver", about: "yes: recognise proven wins and losses; default: no" };
const TREES: OptionInfo = OptionInfo {
    name: "trees",
    about: "independent trees, grown in parallel on all cores, 1-64; default: 1",
};
const PLAY: OptionInfo = OptionInfo {
    name: "play",
    about: "visits: play the move tried most; mean: the one with the best mean result; default: visits",
};
const ONES: OptionInfo = OptionInfo {
    name: "ones",
    about: "yes: one is added to both counts of visits in the exploration term; default: no",
};
const WINDOW: OptionInfo = OptionInfo {
    name: "window",
    about: "window of the moving average, in hundreds of simulations, 1-1000; default: 10",
};
const DECAY: OptionInfo = OptionInfo {
    name: "decay",
    about: "how much less c learns with a longer window, 0-10: its learning rate is \
            1 / (1 + window * decay); default: 0.1",
};
const RATE: OptionInfo = OptionInfo {
    name: "rate",
    about: "constant, or performance: c learns more from results that improve; default: constant",
};
/// The name of the agent of paper `dice-chess-agents`: `uct` with other defaults.
const PAPER: &str = "mcts";
/// The name of the agent of paper `heuristic-pruned-mcts`.
pub(super) const HEURISTIC: &str = "hpmcts";

/// The options that `uct` shares with the agent that is `uct` with other defaults.
const UCT: &[OptionInfo] =
    &[PLAYOUTS, TIME, TOTAL, C, ONES, PLAYOUT, CUT, EVAL, BIAS, TREE, SOLVER, REUSE, TREES, PLAY];

pub(super) const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "uct",
        about: "Monte Carlo tree search with upper confidence bounds and chance nodes",
        options: UCT,
    },
    AgentInfo {
        name: PAPER,
        about: "uct with the settings of paper dice-chess-agents: c=0.8, playouts=2000",
        options: UCT,
    },
    AgentInfo {
        name: "dynamic",
        about: "uct with an exploration constant that adapts during the search",
        options: &[
            PLAYOUTS, TIME, TOTAL, C, WINDOW, DECAY, RATE, PLAYOUT, CUT, EVAL, TREE, SOLVER, REUSE,
            TREES, PLAY,
        ],
    },
    AgentInfo {
        name: HEURISTIC,
        about: "uct with a heuristic that guides the selection and prunes moves (HP-MCTS)",
        options: &[
            PLAYOUTS,
            TIME,
            TOTAL,
            C,
            guided::K,
            guided::LAMBDA,
            guided::PRUNE,
            guided::SCALE,
            guided::DELTA,
            guided::K_MIN,
            guided::EVAL,
            guided::ALPHA,
            guided::BETA,
            guided::GAMMA,
            PLAYOUT,
            CUT,
            REUSE,
            TREES,
        ],
    },
    AgentInfo {
        name: "flat",
        about: "flat Monte Carlo: the same number of playouts after every move, no tree",
        options: &[PLAYOUTS, TIME, TOTAL, PLAYOUT, CUT, EVAL],
    },
];

/// Makes the factory of a spec whose agent and option names have been checked.
pub(super) fn build<G: Learnable + Endgame>(spec: &Spec) -> Result<Factory<G>, SpecError> {
    let points = if spec.name == HEURISTIC { guided::composite::<G>(spec)? } else { None };
    let player = MonteCarlo {
        default_playouts: if spec.name == PAPER { 2000 } else { 10_000 },
        method: method(spec, points.is_some())?,
        kind: kind(spec)?,
        settings: settings(spec)?,
        budget: Budget {
            nodes: spec.read("playouts", |text| parse_number(text, 1, u64::from(u32::MAX)))?,
            time: spec.read("time", parse_time)?,
            ..Budget::default()
        },
        total: spec.read("total", parse_time)?,
    };
    if let Some(points) = points {
        Ok(player.factory(points))
    } else if player.needs_evaluation() || spec.option("eval").is_some() {
        evaluation(spec, player)
    } else {
        Ok(player.factory(Arc::new(Even)))
    }
}

fn method(spec: &Spec, has_points: bool) -> Result<Method, SpecError> {
    Ok(match spec.name.as_str() {
        "flat" => Method::Flat,
        "dynamic" => {
            let window = spec.number("window", 1000, 10)? as usize;
            let (c, decay) = (spec.decimal("c", 10.0, 1.0)?, spec.decimal("decay", 10.0, 0.1)?);
            Method::DynamicUcb(DynamicUcb::new(c, window, decay).learning(rate(spec)?))
        }
        HEURISTIC => Method::Huct(guided::huct(spec, has_points)?),
        _ => {
            let default = if spec.name == PAPER { 0.8 } else { 1.0 };
            let ones = spec.read(ONES.name, parse_yes)?.unwrap_or(false);
            let ucb = Ucb { c: spec.decimal("c", 10.0, default)?, added: u8::from(ones) };
            match spec.decimal("bias", 100.0, 0.0)? {
                0.0 => Method::Ucb(ucb),
                weight => Method::ProgressiveBias { ucb, weight },
            }
        }
    })
}

fn rate(spec: &Spec) -> Result<LearningRate, SpecError> {
    let rates = ["constant", "performance"];
    match spec.option(RATE.name).unwrap_or(rates[0]) {
        "constant" => Ok(LearningRate::Constant),
        "performance" => Ok(LearningRate::ByPerformance),
        other => Err(spec.unknown(UnknownName::new(RATE.name, other, &rates))),
    }
}

fn kind(spec: &Spec) -> Result<Kind, SpecError> {
    let kinds = ["random", "greedy", "eval"];
    let kind = spec.option("playout").unwrap_or(kinds[0]);
    let cut = spec.read("cut", |text| match kind {
        "eval" => Err(LimitError("no cut with playout=eval".into())),
        _ => parse_number(text, 1, 1000),
    })?;
    let cut = cut.map(|turns| turns as u32);
    match kind {
        "random" => Ok(Kind::Random { cut }),
        "greedy" => Ok(Kind::Greedy { cut }),
        "eval" => Ok(Kind::Evaluation),
        other => Err(spec.unknown(UnknownName::new("playout", other, &kinds))),
    }
}

fn settings(spec: &Spec) -> Result<MctsSettings, SpecError> {
    let open = is_open(spec)?;
    let proves = spec.read("solver", |text| match (text, open) {
        ("yes", true) => Err(LimitError("no with tree=open".into())),
        _ => parse_yes(text),
    })?;
    let form = match proves {
        _ if open => TreeForm::Open,
        Some(true) => TreeForm::Proving,
        _ => TreeForm::Closed,
    };
    let choices = ["visits", "mean"];
    let choice = match spec.option("play").unwrap_or(choices[0]) {
        "visits" => FinalMove::MostVisits,
        "mean" => FinalMove::BestMean,
        other => return Err(spec.unknown(UnknownName::new("play", other, &choices))),
    };
    let reuse = spec.read("reuse", parse_yes)?.unwrap_or(false);
    Ok(MctsSettings { form, reuse, trees: spec.number("trees", 64, 1)? as usize, choice })
}

/// The settings of a Monte Carlo player, to which [`MonteCarlo::factory`] adds the evaluation.
#[derive(Clone)]
struct MonteCarlo {
    method: Method,
    kind: Kind,
    settings: MctsSettings,
    budget: Budget<'static>,
    /// The time for all moves of a game, if it is bounded.
    total: Option<Duration>,
    /// How many playouts a decision gets when no bound is given.
    default_playouts: u64,
}

/// How moves are selected.
#[derive(Clone)]
enum Method {
    Flat,
    Ucb(Ucb),
    DynamicUcb(DynamicUcb),
    ProgressiveBias { ucb: Ucb, weight: f32 },
    Huct(HuctSettings),
}

/// The kind of playouts. `cut` is the number of turns after which they are evaluated; `None` plays
/// them to the end.
#[derive(Clone, Copy)]
enum Kind {
    Random { cut: Option<u32> },
    Greedy { cut: Option<u32> },
    Evaluation,
}

impl MonteCarlo {
    fn needs_evaluation(&self) -> bool {
        let cut = match self.kind {
            Kind::Random { cut } | Kind::Greedy { cut } => cut.is_some(),
            Kind::Evaluation => true,
        };
        cut || matches!(self.method, Method::ProgressiveBias { .. } | Method::Huct(_))
    }

    /// Makes the factory of the players. Playouts and evaluations are called through a pointer, so
    /// that each method is compiled once; no slow-down was measured.
    fn factory<G: Learnable + Endgame>(self, evaluator: Arc<dyn Evaluator<G>>) -> Factory<G> {
        let playout = self.kind.playout(&evaluator);
        paced(self.total, self.budget, move |budget| {
            let (playout, evaluator) = (Arc::clone(&playout), Arc::clone(&evaluator));
            match self.method.clone() {
                Method::Flat => Box::new(Flat::new(playout, budget, Random::new(0))),
                Method::Ucb(ucb) => self.tree(ucb, playout, budget),
                Method::DynamicUcb(windowed) => self.tree(windowed, playout, budget),
                Method::ProgressiveBias { ucb, weight } => {
                    self.tree(ProgressiveBias { ucb, weight, evaluator }, playout, budget)
                }
                Method::Huct(settings) => {
                    let preference = G::Basic::default();
                    self.tree(Huct { settings, evaluator, preference }, playout, budget)
                }
            }
        })
    }

    fn tree<G: Learnable + Endgame>(
        &self,
        select: impl Select<G> + 'static,
        playout: Arc<dyn Playout<G>>,
        budget: Budget<'static>,
    ) -> Box<dyn Agent<G>> {
        let player = Mcts::new(select, playout, budget, Random::new(0));
        Box::new(player.with(self.settings).with_default_playouts(self.default_playouts))
    }
}

impl Kind {
    fn playout<G: Learnable + Endgame>(
        self,
        evaluator: &Arc<dyn Evaluator<G>>,
    ) -> Arc<dyn Playout<G>> {
        let evaluator = Arc::clone(evaluator);
        let greedy = Preferred(G::Basic::default());
        match self {
            Self::Random { cut: None } => Arc::new(FullPlayout(Uniform)),
            Self::Random { cut: Some(turns) } => {
                Arc::new(TruncatedPlayout { policy: Uniform, turns, evaluator })
            }
            Self::Greedy { cut: None } => Arc::new(FullPlayout(greedy)),
            Self::Greedy { cut: Some(turns) } => {
                Arc::new(TruncatedPlayout { policy: greedy, turns, evaluator })
            }
            Self::Evaluation => Arc::new(EvaluateAtOnce(evaluator)),
        }
    }
}

impl<G: Learnable + Endgame> UseEvaluation<G> for MonteCarlo {
    type Output = Factory<G>;

    fn with<E: Evaluator<G> + 'static>(self, evaluator: E) -> Factory<G> {
        self.factory(Arc::new(evaluator))
    }
}
