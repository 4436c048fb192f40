//! Matches: a unit plays some of the pairs.

use std::path::{Path, PathBuf};

use wurfel::{Entrants, Game, Match, MatchSettings, Player};
use wurfel_agents::Spec;
use wurfel_arena::{AdjustedRate, CupLimits, MatchError, MatchReport, MatchTally, ScoreReport};

use super::common::{is_timed, part, put_json};
use crate::WorkError;
use crate::job::MatchJob;
use crate::unit::{Merged, Resources, Work, WorkContext};

/// The games of one match, in parts.
#[derive(Clone, Copy)]
pub(super) struct PartedMatch {
    /// The two agents, by their numbers among the entrants.
    pub met: [usize; 2],
    pub pairs: u64,
    pub seed: u64,
    pub budget: CupLimits,
    pub luck: bool,
    pub units: u64,
}

impl PartedMatch {
    fn arranged<'a>(
        &self,
        entrants: &dyn Entrants,
        resources: &Resources<'a>,
        luck: bool,
    ) -> Box<dyn Match + 'a> {
        let budget = resources.budget(self.budget);
        let settings =
            MatchSettings { pairs: self.pairs, seed: self.seed, budget, luck, sprt: None };
        entrants.between(self.met, settings)
    }

    pub fn run(
        &self,
        entrants: &dyn Entrants,
        unit: u64,
        context: &WorkContext<'_>,
    ) -> Result<Option<Vec<u8>>, WorkError> {
        let pairs = part(unit, self.units, self.pairs);
        let arranged = self.arranged(entrants, &context.resources, false);
        Ok(arranged.play_part(pairs, context.jobs())?)
    }

    /// Writes all games into a file, as `wurfel match --out` writes it, and reports on them, without the
    /// times, which depend on the machines. `first` is the number of the match's first unit.
    pub fn merge(
        &self,
        entrants: &dyn Entrants,
        context: &WorkContext<'_>,
        first: u64,
        path: &Path,
    ) -> Result<(MatchTally, MatchReport), WorkError> {
        let arranged = self.arranged(entrants, &context.resources, self.luck);
        let mut tally = MatchTally::default();
        let head = serde_json::to_string(&arranged.header()).unwrap_or_default() + "\n";
        let end = first + self.units;
        context.gather(path, &head, first..end, |unit, lines| {
            arranged.add_part(&mut tally, lines)?;
            if unit + 1 < end || tally.complete {
                return Ok(());
            }
            let pair = tally.score.games() / 2;
            Err(MatchError::Part { pair, game: 0 }.into())
        })?;
        let report = arranged.report(&tally, None);
        Ok((tally, report))
    }
}

/// The report of a match as a line of text.
pub(super) fn line(report: &MatchReport) -> String {
    let rate = |rate: f64, [low, high]: [f64; 2]| {
        let [rate, low, high] = [rate, low, high].map(|rate| format!("{:.2}", 100.0 * rate));
        (rate, low, high)
    };
    let [one, other] = &report.agents;
    let ScoreReport { games, win_rate, interval, luck_adjusted, .. } = report.score;
    let (mean, low, high) = rate(win_rate, interval);
    let line = format!(
        "{} against {}: {games} games, {mean} % won (95 % interval {low} to {high})",
        one.agent, other.agent
    );
    let Some(AdjustedRate { win_rate, interval, .. }) = luck_adjusted else { return line };
    let (mean, low, high) = rate(win_rate, interval);
    format!("{line}, luck-adjusted {mean} % ({low} to {high})")
}

/// Agents of specs as entrants, and whether one of them is bounded by time.
pub(super) fn entrants(
    game: Game,
    agents: &[String],
) -> Result<(Box<dyn Entrants>, bool), WorkError> {
    let specs: Vec<Spec> = agents.iter().map(|agent| agent.parse()).collect::<Result<_, _>>()?;
    let timed = specs.iter().any(is_timed);
    let players: Vec<Player> = specs.into_iter().map(Player::Spec).collect();
    Ok((game.entrants(&players)?, timed))
}

struct OneMatch {
    entrants: Box<dyn Entrants>,
    pairs: PartedMatch,
    timed: bool,
}

pub(super) fn work(game: Game, job: &MatchJob) -> Result<Box<dyn Work>, WorkError> {
    let (entrants, timed) = entrants(game, &job.agents)?;
    let MatchJob { pairs, seed, budget, luck, units, .. } = *job;
    let timed = timed || budget.time.is_some();
    let pairs = PartedMatch { met: [0, 1], pairs, seed, budget, luck, units };
    Ok(Box::new(OneMatch { entrants, pairs, timed }))
}

impl Work for OneMatch {
    fn stages(&self) -> Vec<u64> {
        vec![self.pairs.units]
    }

    fn timed(&self) -> bool {
        self.timed
    }

    fn run(&self, unit: u64, context: &WorkContext<'_>) -> Result<Option<Vec<u8>>, WorkError> {
        self.pairs.run(&*self.entrants, unit, context)
    }

    fn merge(&self, context: &WorkContext<'_>) -> Result<Option<Merged>, WorkError> {
        let [games, told_in]: [PathBuf; 2] =
            ["games.jsonl", "result.json"].map(|name| context.result.join(name));
        let (_, report) = self.pairs.merge(&*self.entrants, context, 0, &games)?;
        put_json(&told_in, &report)?;
        Ok(Some(Merged { files: vec![games, told_in], summary: vec![line(&report)] }))
    }
}
