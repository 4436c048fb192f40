//! Tournaments: a unit plays some of the pairs of one pairing.

use std::path::Path;

use serde_json::json;
use wurfel::{Entrants, Game};
use wurfel_arena::{Pairing, adjusted_standing, pairings, seed_of_pairing, standing};

use super::common::put_json;
use super::matches::{PartedMatch, entrants, line};
use crate::WorkError;
use crate::job::TournamentJob;
use crate::unit::{Merged, Resources, Shards, Work};

struct Tournament {
    agents: Vec<String>,
    entrants: Box<dyn Entrants>,
    timed: bool,
    /// The games of each pair of agents.
    meetings: Vec<PartedMatch>,
    /// The number of units of each meeting.
    units: u64,
}

/// The work of a job.
pub(super) fn work(game: Game, job: &TournamentJob) -> Result<Box<dyn Work>, WorkError> {
    let TournamentJob { pairs, seed, budget, luck, units, .. } = *job;
    let agents = job.agents.clone();
    let (entrants, timed) = entrants(game, &agents)?;
    let timed = timed || budget.time.is_some();
    let meetings = pairings(agents.len())
        .map(|met| {
            let seed = seed_of_pairing(seed, met);
            PartedMatch { met, pairs, seed, budget, luck, units }
        })
        .collect();
    Ok(Box::new(Tournament { agents, entrants, timed, meetings, units }))
}

impl Work for Tournament {
    fn stages(&self) -> Vec<u64> {
        vec![self.units * self.meetings.len() as u64]
    }

    fn timed(&self) -> bool {
        self.timed
    }

    fn run(
        &self,
        unit: u64,
        resources: Resources<'_>,
        _: &Shards<'_>,
        _: &Path,
    ) -> Result<Option<Vec<u8>>, WorkError> {
        let pairs = &self.meetings[(unit / self.units) as usize];
        pairs.run(&*self.entrants, unit % self.units, resources)
    }

    fn merge(
        &self,
        resources: Resources<'_>,
        shards: &Shards<'_>,
        result: &Path,
    ) -> Result<Option<Merged>, WorkError> {
        let (mut files, mut summary, mut matches, mut pairings) = (vec![], vec![], vec![], vec![]);
        for (number, pairs) in self.meetings.iter().enumerate() {
            if resources.stopped() {
                return Ok(None);
            }
            // Agents are numbered from 1, in the order of the job.
            let [one, other] = pairs.met.map(|agent| agent + 1);
            let path = result.join(format!("games-{one}-{other}.jsonl"));
            let first = number as u64 * self.units;
            let (tally, report) = pairs.merge(&*self.entrants, resources, shards, first, &path)?;
            summary.push(line(&report));
            matches.push(report);
            pairings.push(Pairing::new(pairs.met, &tally));
            files.push(path);
        }
        let mut standings = vec![];
        for (number, agent) in self.agents.iter().enumerate() {
            let (mean, interval) = standing(number, &pairings);
            let adjusted = adjusted_standing(number, &pairings)
                .map(|(mean, interval)| json!({ "win_rate": mean, "interval": interval.ends() }));
            standings.push(json!({
                "agent": agent,
                "win_rate": mean,
                "interval": interval.ends(),
                "luck_adjusted": adjusted,
            }));
            summary.push(format!(
                "{agent}: {:.2} % on average ({:.2} to {:.2})",
                100.0 * mean,
                100.0 * interval.low,
                100.0 * interval.high
            ));
        }
        let told_in = result.join("result.json");
        put_json(&told_in, &json!({ "standings": standings, "matches": matches }))?;
        files.push(told_in);
        Ok(Some(Merged { files, summary }))
    }
}
