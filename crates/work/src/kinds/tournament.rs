//! Tournaments: a unit plays some of the pairs of one pairing.

use wurfel::{Entrants, Game, Spec};
use wurfel_arena::{
    Pairing, SetUps, StandingReport, TournamentReport, TournamentTerms, pairings, seed_of_pairing,
};

use super::common::put_json;
use super::matches::{PartedMatch, entrants, line};
use crate::WorkError;
use crate::job::TournamentJob;
use crate::unit::{Merged, Work, WorkContext};

struct Tournament {
    game: Game,
    /// The spec and the name of each agent.
    agents: Vec<(String, String)>,
    /// Pairs of games in each meeting.
    pairs: u64,
    seed: u64,
    entrants: Box<dyn Entrants>,
    timed: bool,
    /// The games of each pair of agents.
    meetings: Vec<PartedMatch>,
    /// The number of units of each meeting.
    units: u64,
}

pub(super) fn work(game: Game, job: &TournamentJob) -> Result<Box<dyn Work>, WorkError> {
    let TournamentJob { pairs, seed, budget, luck, units, .. } = *job;
    let (entrants, timed) = entrants(game, &job.agents)?;
    let timed = timed || budget.time.is_some();
    let name = |text: &String| {
        let spec = text.parse::<Spec>();
        (text.clone(), spec.map_or_else(|_| text.clone(), |spec| spec.label()))
    };
    let agents: Vec<_> = job.agents.iter().map(name).collect();
    let meetings = pairings(agents.len())
        .map(|met| {
            let seed = seed_of_pairing(seed, met);
            PartedMatch { met, pairs, seed, budget, luck, units }
        })
        .collect();
    Ok(Box::new(Tournament { game, agents, pairs, seed, entrants, timed, meetings, units }))
}

impl Work for Tournament {
    fn stages(&self) -> Vec<u64> {
        vec![self.units * self.meetings.len() as u64]
    }

    fn timed(&self) -> bool {
        self.timed
    }

    fn run(&self, unit: u64, context: &WorkContext<'_>) -> Result<Option<Vec<u8>>, WorkError> {
        let pairs = &self.meetings[(unit / self.units) as usize];
        pairs.run(&*self.entrants, unit % self.units, context)
    }

    fn merge(&self, context: &WorkContext<'_>) -> Result<Option<Merged>, WorkError> {
        let (mut files, mut summary, mut played) = (vec![], vec![], vec![]);
        for (number, pairs) in self.meetings.iter().enumerate() {
            if context.resources.stopped() {
                return Ok(None);
            }
            // Agents are numbered from 1, in the order of the job.
            let [one, other] = pairs.met.map(|agent| agent + 1);
            let path = context.result.join(format!("games-{one}-{other}.jsonl"));
            let first = number as u64 * self.units;
            let (tally, report) = pairs.merge(&*self.entrants, context, first, &path)?;
            summary.push(line(&report));
            played.push(Pairing { agents: pairs.met, tally });
            files.push(path);
        }
        let facts = self.game.facts();
        let terms = TournamentTerms {
            game: (facts.name, facts.sides),
            agents: &self.agents,
            pairs: self.pairs,
            seed: self.seed,
            setups: SetUps::Random,
        };
        let report = TournamentReport::new(terms, &played);
        for StandingReport { agent, win_rate, interval: [low, high], .. } in &report.standings {
            let [mean, low, high] = [win_rate, low, high].map(|rate| 100.0 * rate);
            let name = &agent.name;
            summary.push(format!("{name}: {mean:.2} % on average ({low:.2} to {high:.2})"));
        }
        let told_in = context.result.join("result.json");
        put_json(&told_in, &report)?;
        files.push(told_in);
        Ok(Some(Merged { files, summary }))
    }
}
