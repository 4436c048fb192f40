//! Matches: a unit plays some of the pairs.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use wurfel_agents::Catalogued;
use wurfel_arena::{Control, CupLimits, Entrant, LuckMeter, Match, MatchError, MatchReport};

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

    /// Writes all games into a file, as `wurfel match --out` writes it, and reports on them. `first`
    /// is the number of the match's first unit.
    pub fn merge(
        &self,
        resources: Resources<'_>,
        shards: &Shards<'_>,
        first: u64,
        path: &Path,
    ) -> Result<MatchReport, WorkError> {
        let luck = self.luck.then(LuckMeter::usual);
        let arranged = Match { luck, ..self.arranged(&resources) };
        let mut report = MatchReport::default();
        folder::put(path, |file| {
            let header = serde_json::to_string(&arranged.header()).unwrap_or_default();
            writeln!(file, "{header}").map_err(WorkError::io(path))?;
            for unit in first..first + self.units {
                let lines = shards.text(unit)?;
                arranged.add_part(&mut report, &lines)?;
                file.write_all(lines.as_bytes()).map_err(WorkError::io(path))?;
            }
            if report.complete {
                return Ok(());
            }
            let pair = report.score.games() / 2;
            Err(MatchError::Part { pair, game: 0 }.into())
        })?;
        Ok(report)
    }
}

/// The report of a match as JSON, without the figures that depend on the machine.
pub(super) fn told(agents: [&str; 2], report: &MatchReport) -> Value {
    let summary = report.score.summary();
    let adjusted = report.luck.as_ref().and_then(Control::adjusted).map(|adjusted| {
        let interval = adjusted.estimate.interval;
        json!({ "win_rate": adjusted.estimate.mean, "interval": [interval.low, interval.high] })
    });
    json!({
        "agents": agents,
        "games": report.score.games(),
        "wins": report.score.wins,
        "draws": report.score.draws,
        "losses": report.score.losses,
        "pair_points": report.score.pairs,
        "win_rate": summary.win_rate,
        "interval": [summary.interval.low, summary.interval.high],
        "luck_adjusted": adjusted,
        "elo": summary.elo,
        "elo_interval": [summary.elo_low, summary.elo_high],
        "faults": report.faults,
        "mean_plies": report.mean_plies(),
    })
}

/// The report of a match as a line of text.
pub(super) fn line(agents: [&str; 2], report: &MatchReport) -> String {
    let summary = report.score.summary();
    let percent = |rate: f64| format!("{:.2}", 100.0 * rate);
    let interval = summary.interval;
    let line = format!(
        "{} against {}: {} games, {} % won (95 % interval {} to {})",
        agents[0],
        agents[1],
        report.score.games(),
        percent(summary.win_rate),
        percent(interval.low),
        percent(interval.high)
    );
    let Some(adjusted) = report.luck.as_ref().and_then(Control::adjusted) else { return line };
    let interval = adjusted.estimate.interval;
    format!(
        "{line}, luck-adjusted {} % ({} to {})",
        percent(adjusted.estimate.mean),
        percent(interval.low),
        percent(interval.high)
    )
}

struct OneMatch<G>(PartedMatch<G>, [String; 2]);

/// The work of a job.
pub(super) fn work<G: Catalogued>(job: &MatchJob) -> Result<Box<dyn Work>, WorkError> {
    let [one, other] = &job.agents;
    let entrants = [Entrant::new(one.parse()?)?, Entrant::new(other.parse()?)?];
    let MatchJob { pairs, seed, budget, luck, units, .. } = *job;
    let agents = job.agents.clone();
    Ok(Box::new(OneMatch::<G>(PartedMatch { entrants, pairs, seed, budget, luck, units }, agents)))
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
        let report = self.0.merge(resources, shards, 0, &games)?;
        let agents = self.1.each_ref().map(String::as_str);
        put_json(&told_in, &told(agents, &report))?;
        Ok(Some(Merged { files: vec![games, told_in], summary: vec![line(agents, &report)] }))
    }
}
