//! The guidance of `hpmcts`: its heuristic, the scale on which moves are compared, and pruning.
//!
//! The heuristic is the game's evaluation `composite`, in points, where the game has one. All other
//! evaluations give only a win probability.

use std::sync::Arc;

use wurfel_core::{Evaluator, UnknownName};
use wurfel_games::{HeuristicWeights, Playable};
use wurfel_search::mcts::{HeuristicPruning, HeuristicScale, HuctSettings};

use super::OptionInfo;
use crate::limits::{parse_decimal, parse_number};
use crate::{LimitError, Spec, SpecError};

pub(super) const K: OptionInfo =
    OptionInfo { name: "k", about: "weight of the evaluation, 0-10; default: 0.5" };
pub(super) const LAMBDA: OptionInfo = OptionInfo {
    name: "lambda",
    about: "how fast the weight k fades with visits, 0-1; default: 0.5",
};
pub(super) const PRUNE: OptionInfo = OptionInfo {
    name: "prune",
    about: "standard deviations below the mean from which moves are pruned, 0-10, or light \
            (0.7), heavy (1.2) or none; default: 1",
};
pub(super) const SCALE: OptionInfo = OptionInfo {
    name: "scale",
    about: "compare moves for pruning in points (of composite), turn: from 0 for a turn's worst \
            to 1 for its best, or probability of a win; default: points, turn beside another \
            eval",
};
pub(super) const DELTA: OptionInfo = OptionInfo {
    name: "delta",
    about: "never prune a move so close to the best, on that scale, 0-10; default: 0.15",
};
pub(super) const K_MIN: OptionInfo =
    OptionInfo { name: "kmin", about: "moves that are left at least, 1-64; default: 2" };
pub(super) const ALPHA: OptionInfo =
    OptionInfo { name: "alpha", about: "weight of mobility in composite, 0-10; default: 1.5" };
pub(super) const BETA: OptionInfo = OptionInfo {
    name: "beta",
    about: "weight of nearness to the goal in composite, 0-10; default: 2",
};
pub(super) const GAMMA: OptionInfo =
    OptionInfo { name: "gamma", about: "weight of the penalty in composite, 0-10; default: 1.2" };
pub(super) const EVAL: OptionInfo = OptionInfo {
    name: "eval",
    about: "evaluation that guides and prunes; default: composite, or the game's first",
};

/// The evaluation that has points.
pub(super) const COMPOSITE: &str = "composite";

/// The evaluation of the game in points, if the spec names it or names no evaluation.
pub(super) fn composite<G: Playable>(
    spec: &Spec,
) -> Result<Option<Arc<dyn Evaluator<G>>>, SpecError> {
    let defaults = HeuristicWeights::default();
    let weights = HeuristicWeights {
        mobility: spec.decimal(ALPHA.name, 10.0, defaults.mobility)?,
        nearness: spec.decimal(BETA.name, 10.0, defaults.nearness)?,
        penalty: spec.decimal(GAMMA.name, 10.0, defaults.penalty)?,
    };
    let uses_composite = spec.option(EVAL.name).is_none_or(|name| name == COMPOSITE);
    let heuristic = G::composite(weights).filter(|_| uses_composite);
    if heuristic.is_none() {
        for OptionInfo { name, .. } in [ALPHA, BETA, GAMMA] {
            spec.read(name, |_| Err::<(), _>(LimitError("eval=composite beside it".into())))?;
        }
    }
    Ok(heuristic)
}

fn scale(spec: &Spec, has_points: bool) -> Result<HeuristicScale, SpecError> {
    let names = ["points", "turn", "probability"];
    let known = if has_points { &names[..] } else { &names[1..] };
    match spec.option(SCALE.name).unwrap_or(known[0]) {
        "points" if has_points => Ok(HeuristicScale::Points),
        "probability" => Ok(HeuristicScale::Probability),
        "turn" => Ok(HeuristicScale::Turn),
        other => Err(spec.unknown(UnknownName::new("scale", other, known))),
    }
}

/// The parameters of a spec.
pub(super) fn huct(spec: &Spec, has_points: bool) -> Result<HuctSettings, SpecError> {
    let pruning = spec.read(PRUNE.name, parse_pruning)?.unwrap_or(Some(1.0));
    let gap = spec.decimal(DELTA.name, 10.0, HeuristicPruning::new(1.0).gap)?;
    let least =
        spec.read(K_MIN.name, |text| parse_number(text, 1, 64))?.map(|least| least as usize);
    let least = least.unwrap_or(HeuristicPruning::new(1.0).least);
    Ok(HuctSettings {
        c: spec.decimal("c", 10.0, 2.0)?,
        k: spec.decimal(K.name, 10.0, 0.5)?,
        lambda: spec.decimal(LAMBDA.name, 1.0, 0.5)?,
        pruning: pruning.map(|eta| HeuristicPruning { eta, least, gap }),
        scale: scale(spec, has_points)?,
    })
}

/// Reads η; `None` when the text says that nothing is pruned.
fn parse_pruning(text: &str) -> Result<Option<f32>, LimitError> {
    match text {
        "none" => Ok(None),
        "light" => Ok(Some(0.7)),
        "heavy" => Ok(Some(1.2)),
        _ => parse_decimal(text, 0.0, 10.0)
            .map(|eta| Some(eta as f32))
            .map_err(|_| LimitError("light, heavy, none or a number from 0 to 10".into())),
    }
}
