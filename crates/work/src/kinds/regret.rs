//! Regret: a unit asks for some of the decisions.

use wurfel::{Agents, Facts, Game, TablesWanted};
use wurfel_agents::Spec;
use wurfel_arena::{Loss, PositionSource, Regret, RegretReference, RegretReport, RegretSettings};

use super::common::{is_timed, part, put_json};
use crate::WorkError;
use crate::job::RegretJob;
use crate::unit::{Merged, Work, WorkContext};

struct Decisions {
    game: Game,
    job: RegretJob,
    spec: Spec,
    agents: Agents,
}

pub(super) fn work(game: Game, job: &RegretJob) -> Result<Box<dyn Work>, WorkError> {
    let Facts { name, max_solved, .. } = game.facts();
    if !(2..=max_solved).contains(&job.pieces) {
        return Err(WorkError::Input(format!(
            "pieces {}: expected a game that can be searched to its end from that many pieces, and \
             {name} has 2 to {max_solved}",
            job.pieces
        )));
    }
    let spec: Spec = job.agent.parse()?;
    Ok(Box::new(Decisions { game, job: job.clone(), agents: game.agents_of(&spec)?, spec }))
}

impl Work for Decisions {
    fn stages(&self) -> Vec<u64> {
        vec![self.job.units]
    }

    fn timed(&self) -> bool {
        self.job.budget.time.is_some() || is_timed(&self.spec)
    }

    fn run(&self, unit: u64, context: &WorkContext<'_>) -> Result<Option<Vec<u8>>, WorkError> {
        let settings = RegretSettings {
            pieces: self.job.pieces,
            decisions: self.job.positions,
            source: if self.job.played {
                PositionSource::Played
            } else {
                PositionSource::Scattered
            },
            seed: self.job.seed,
            budget: context.resources.budget(self.job.budget),
        };
        // Only tables that every machine has or builds are used, because others would change the
        // rounding.
        let tables = self.game.tables(None, TablesWanted::UpTo(SMALL))?;
        let decisions = part(unit, self.job.units, self.job.positions);
        let (end, mut next) = (decisions.end, decisions.start);
        let mut lines = vec![];
        let jobs = context.jobs();
        let measured =
            tables.losses(decisions, &self.agents, settings, jobs, &mut |number, loss| {
                next = number + 1;
                // Writing into memory cannot fail.
                let _ = serde_json::to_writer(&mut lines, &loss);
                lines.push(b'\n');
                !context.resources.stopped()
            });
        measured.map_err(|failure| {
            WorkError::Input(format!("agent '{}' failed: {failure}", self.spec))
        })?;
        Ok((next == end && !context.resources.stopped()).then_some(lines))
    }

    fn merge(&self, context: &WorkContext<'_>) -> Result<Option<Merged>, WorkError> {
        let mut regret = Regret::default();
        let losses = context.result.join("losses.jsonl");
        context.gather(&losses, "", 0..self.job.units, |unit, lines| {
            for line in lines.lines() {
                let loss: Loss = serde_json::from_str(line).map_err(|error| {
                    WorkError::Input(format!("unit {unit}: expected a loss: {error}"))
                })?;
                regret.add(loss);
            }
            Ok(())
        })?;
        let told_in = context.result.join("result.json");
        let RegretJob { pieces, seed, agent, .. } = &self.job;
        let (of, reference) = ((self.game.name(), *seed), RegretReference::Pieces(*pieces));
        let report = RegretReport::new(agent, of, reference, &regret, None);
        put_json(&told_in, &report)?;
        let [low, high] = report.interval;
        let summary = vec![
            format!("{agent}: {} decisions, {pieces} pieces", report.decisions),
            format!("regret   {:.6} ({low:.6} to {high:.6})", report.regret),
            format!("optimal  {:.2} %", 100.0 * report.optimal),
        ];
        Ok(Some(Merged { files: vec![losses, told_in], summary }))
    }
}

/// The largest number of pieces for which tables are used.
const SMALL: u32 = 4;
