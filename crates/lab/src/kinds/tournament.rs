//! Tournaments: every agent against every other one, with a row for each agent.

use serde_json::Value;
use wurfel::Entrants;
use wurfel_arena::{MatchTally, pairings, seed_of_pairing};

use super::games::{MatchDice, Parts, merged, play, player};
use super::{NewWork, NewWorks, Setting};
use crate::LabError;
use crate::definition::TournamentDefinition;
use crate::grid::GridPoint;
use crate::measure::{Measured, check, from_other_side, needs_luck, without_luck};
use crate::results::ResultCell;
use crate::work::{ExperimentResources, UnitResult, Work};

/// The measures that exist only in tournaments.
const OWN: &[&str] = &["rank", "against"];

/// Stands for the label of an agent.
const AGENT: &str = "{agent}";

/// The tournaments of a block, one for each point of the grid.
pub(super) fn works(setting: Setting<'_>, block: &TournamentDefinition) -> NewWorks {
    let pairs = block.pairs.text(setting.scale);
    let mut texts = vec![&*block.row, &*pairs];
    texts.extend(block.game.as_deref());
    for (label, spec) in block.agents.iter() {
        texts.extend([label, spec]);
    }
    for (column, measure) in block.columns.iter() {
        texts.push(column);
        check(measure, OWN)?;
    }
    if block.agents.0.len() < 2 {
        return Err(LabError::Input(format!("tournament '{}': expected two agents", block.row)));
    }
    let points = setting.points(&block.over, &texts).into_iter();
    points.map(|point| work(setting, block, point)).collect()
}

/// The tournament at a point of the grid.
fn work(setting: Setting<'_>, block: &TournamentDefinition, point: GridPoint) -> NewWork {
    let game = setting.game(block.game.as_ref(), &point)?;
    let pairs = block.pairs.at(setting.scale, &point)?;
    let mut labels = vec![];
    let mut players = vec![];
    for (label, spec) in block.agents.iter() {
        labels.push(point.fill(label));
        players.push(player(&point.fill(spec))?);
    }
    let columns = block.columns.at(&point);
    let luck = columns.iter().any(|(_, measure)| needs_luck(measure));
    let row = point.fill(&block.row);
    let count = labels.len();
    Ok(Box::new(Round {
        name: format!("{row}: {}", labels.join(", ")),
        labels,
        entrants: game.entrants(&players)?,
        luck,
        pairings: pairings(count).collect(),
        parts: Parts::new(pairs, setting.scale),
        seed: setting.seed,
        row,
        columns,
        point,
    }))
}

/// A round robin. Its units are the first part of each pairing, then the second part of each, and so
/// on. Each pairing has its own set-ups and dice, so that its result is independent of the others.
struct Round {
    name: String,
    labels: Vec<String>,
    entrants: Box<dyn Entrants>,
    luck: bool,
    pairings: Vec<[usize; 2]>,
    parts: Parts,
    seed: u64,
    row: String,
    columns: Vec<(String, String)>,
    point: GridPoint,
}

impl Work for Round {
    fn name(&self) -> &str {
        &self.name
    }

    fn units(&self) -> u64 {
        self.pairings.len() as u64 * self.parts.count()
    }

    fn grows_by(&self) -> Option<u64> {
        self.parts.grows.then_some(self.pairings.len() as u64)
    }

    fn alone(&self) -> bool {
        false
    }

    fn run(&self, unit: u64, resources: &ExperimentResources<'_>) -> UnitResult {
        let count = self.pairings.len() as u64;
        let (part, pairing) = (unit / count, unit % count);
        let met = self.pairings[pairing as usize];
        play(&*self.entrants, met, self.luck, self.parts, (part, &self.dice(met)), resources)
    }

    fn cells(&self, results: &[Value]) -> Result<Vec<ResultCell>, LabError> {
        let mut played = vec![];
        for (first, agents) in self.pairings.iter().enumerate() {
            let own = results.iter().skip(first).step_by(self.pairings.len());
            played.push((*agents, merged(&self.name, (self.parts, &self.dice(*agents)), own)?));
        }
        let standings: Vec<Standing> =
            (0..self.labels.len()).map(|agent| Standing::of(agent, &played, self.parts)).collect();
        let cells = (0..self.labels.len()).flat_map(|agent| self.cells_of(agent, &standings));
        Ok(cells.map(|cell| cell.at(&self.point)).collect())
    }
}

impl Round {
    /// The dice of a pairing, which no other pairing has: the errors of a standing add up from
    /// independent games.
    fn dice(&self, met: [usize; 2]) -> MatchDice {
        MatchDice::new(seed_of_pairing(self.seed, met), self.name.clone())
    }

    /// The cells of an agent's row.
    fn cells_of(&self, agent: usize, standings: &[Standing]) -> Vec<ResultCell> {
        let row = self.row.replace(AGENT, &self.labels[agent]);
        let own = &standings[agent];
        let mut cells = vec![];
        for (column, measure) in &self.columns {
            match measure.as_str() {
                "against" => {
                    for meeting in &own.meetings {
                        let column = column.replace(AGENT, &self.labels[meeting.opponent]);
                        let measured = self.parts.measure(&meeting.report, "score");
                        cells.extend(measured.map(|measured| measured.cell(&row, &column)));
                    }
                }
                "rank" => cells.extend(rank(agent, standings).map(|rank| rank.cell(&row, column))),
                _ => cells.extend(own.measure(measure).map(|measured| measured.cell(&row, column))),
            }
        }
        cells
    }
}

/// The place of an agent, from 1, by its points. Its best possible place counts as better only the
/// agents whose whole interval lies above its own, its worst all whose interval does not lie below it.
fn rank(agent: usize, standings: &[Standing]) -> Option<Measured> {
    let bounds: Option<Vec<(f64, f64)>> =
        standings.iter().map(|one| one.measure("score")?.interval).collect();
    let (bounds, own) = (bounds?, &standings[agent]);
    let (low, high) = bounds[agent];
    let after = |better: usize| (1 + better) as f64;
    let better = standings.iter().filter(|other| other.points() > own.points()).count();
    let surely = bounds.iter().filter(|other| other.0 > high).count();
    let perhaps = bounds.iter().filter(|other| other.1 >= low).count() - 1;
    let interval = Some((after(surely), after(perhaps)));
    Some(Measured { value: after(better), interval, n: own.total.score.games(), unit: "rank" })
}

/// A match of an agent, seen from its own side.
struct Meeting {
    opponent: usize,
    report: MatchTally,
    /// The luck-adjusted win rate, if luck was measured.
    adjusted: Option<Measured>,
}

/// All games of one agent.
struct Standing {
    meetings: Vec<Meeting>,
    total: MatchTally,
    parts: Parts,
}

impl Standing {
    fn of(agent: usize, played: &[([usize; 2], MatchTally)], parts: Parts) -> Self {
        let mut meetings = vec![];
        let mut total = MatchTally::default();
        for ([one, two], report) in played {
            let adjusted = parts.measure(report, "luck_adjusted");
            let meeting = if *one == agent {
                Meeting { opponent: *two, report: without_luck(report.clone()), adjusted }
            } else if *two == agent {
                let adjusted = adjusted.map(Measured::for_opponent);
                Meeting { opponent: *one, report: from_other_side(report.clone()), adjusted }
            } else {
                continue;
            };
            total.merge(&meeting.report);
            meetings.push(meeting);
        }
        Self { meetings, total, parts }
    }

    /// Points won, in halves.
    const fn points(&self) -> u64 {
        2 * self.total.score.wins + self.total.score.draws
    }

    fn measure(&self, measure: &str) -> Option<Measured> {
        // Pairings differ from each other, so only the variance within each of them counts.
        let each: Option<Vec<Measured>> = match measure {
            "score" => {
                let each = self.meetings.iter();
                each.map(|one| self.parts.measure(&one.report, measure)).collect()
            }
            "luck_adjusted" => self.meetings.iter().map(|one| one.adjusted.clone()).collect(),
            _ => return self.parts.measure(&self.total, measure),
        };
        let each = each?;
        let count = each.len() as f64;
        let mean = each.iter().map(|one| one.value).sum::<f64>() / count;
        let half = |end: fn((f64, f64), f64) -> f64| {
            let squares = each
                .iter()
                .map(|one| one.interval.map_or(0.0, |interval| end(interval, one.value).powi(2)));
            squares.sum::<f64>().sqrt() / count
        };
        let (below, above) =
            (half(|(low, _), value| value - low), half(|(_, high), value| high - value));
        let interval = Some((mean - below, mean + above));
        Some(Measured { value: mean, interval, n: self.total.score.games(), unit: "share" })
    }
}
