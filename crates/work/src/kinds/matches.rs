//! Matches: a unit plays some of the pairs.

use std::path::{Path, PathBuf};

use wurfel_agents::Catalogued;
use wurfel_arena::{
    AdjustedRate, CupLimits, Entrant, LuckMeter, Match, MatchError, MatchReport, MatchTally,
    ScoreReport,
};

use super::common::{is_timed, part, put_json};
use crate::job::MatchJob;
use crate::unit::{Merged, Resources, Shards, Work};
use crate::{WorkError, folder};

/// The games of one match, in parts.
pub(super) struct PartedMatch<G> {
    pub entrants: [Entrant<G>; 2],
    pub pairs: u64,
    pub seed: u64,
    pub budget: CupLimits,
    pub luck: bool,
    pub units: u64,
}

impl<G: Catalogued> PartedMatch<G> {
    /// Whether one of the agents is bounded by time.
    pub fn timed(&self) -> bool {
        self.budget.time.is_some() || self.entrants.iter().any(|entrant| is_timed(&entrant.spec))
    }

    fn arranged<'a>(&self, resources: &Resources<'a>) -> Match<'a, G> {
        Match {
            budget: resources.budget(self.budget),
            ..Match::between(self.entrants.clone(), self.pairs, self.seed)
        }
    }

    /// The lines of the games of a part.
    pub fn run(&self, unit: u64, resources: Resources<'_>) -> Result<Option<Vec<u8>>, WorkError> {
        let pairs = part(unit, self.units, self.pairs);
        Ok(self.arranged(&resources).play_part(pairs, resources.jobs.max(1))?)
    }

    /// Writes all games into a file, as `wurfel match --out` writes it, and reports on them, without the
    /// times, which depend on the machines. `first` is the number of the match's first unit.
    pub fn merge(
        &self,
        resources: Resources<'_>,
        shards: &Shards<'_>,
        first: u64,
        path: &Path,
    ) -> Result<(MatchTally, MatchReport), WorkError> {
        let luck = self.luck.then(LuckMeter::usual);
        let arranged = Match { luck, ..self.arranged(&resources) };
        let mut tally = MatchTally::default();
        folder::put(path, |file| {
            let header = serde_json::to_string(&arranged.header()).unwrap_or_default();
            writeln!(file, "{header}").map_err(WorkError::io(path))?;
            for unit in first..first + self.units {
                let lines = shards.text(unit)?;
                arranged.add_part(&mut tally, &lines)?;
                file.write_all(lines.as_bytes()).map_err(WorkError::io(path))?;
            }
            if tally.complete {
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

struct OneMatch<G>(PartedMatch<G>);

/// The work of a job.
pub(super) fn work<G: Catalogued>(job: &MatchJob) -> Result<Box<dyn Work>, WorkError> {
    let [one, other] = &job.agents;
    let entrants = [Entrant::new(one.parse()?)?, Entrant::new(other.parse()?)?];
    let MatchJob { pairs, seed, budget, luck, units, .. } = *job;
    Ok(Box::new(OneMatch::<G>(PartedMatch { entrants, pairs, seed, budget, luck, units })))
}

impl<G: Catalogued> Work for OneMatch<G> {
    fn stages(&self) -> Vec<u64> {
        vec![self.0.units]
    }

    fn timed(&self) -> bool {
        self.0.timed()
    }

    fn run(
        &self,
        unit: u64,
        resources: Resources<'_>,
        _: &Shards<'_>,
        _: &Path,
    ) -> Result<Option<Vec<u8>>, WorkError> {
        self.0.run(unit, resources)
    }

    fn merge(
        &self,
        resources: Resources<'_>,
        shards: &Shards<'_>,
        result: &Path,
    ) -> Result<Option<Merged>, WorkError> {
        let [games, told_in]: [PathBuf; 2] =
            ["games.jsonl", "result.json"].map(|name| result.join(name));
        let (_, report) = self.0.merge(resources, shards, 0, &games)?;
        put_json(&told_in, &report)?;
        Ok(Some(Merged { files: vec![games, told_in], summary: vec![line(&report)] }))
    }
}
