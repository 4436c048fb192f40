//! Tournaments: every agent meets every other one in a match of mirrored pairs.
//!
//! Each match has set-ups and dice of its own. If they were shared, results against different
//! opponents would depend on each other, and the interval of an agent's mean would have to know how
//! much: with shared dice, intervals that ignored it covered the truth in 90 of 100 tournaments
//! instead of 95.

use std::path::Path;

use serde::{Deserialize, Serialize};
use wurfel_core::{Budget, Random};
use wurfel_statistics::{AgentTally, Control, Estimate, Interval, MatchTally, SetUps};

use crate::play::chosen::ChosenSetUps;
use crate::play::entrant::{Entrant, NotStarted};
use crate::play::matches::{Match, MatchError, MatchProgress};
use crate::records::draft::{Draft, OutputError};
use crate::records::record::MatchHeader;
use crate::study::luck::LuckMeter;
use wurfel_agents::{Catalogued, Spec, SpecError};

/// The result of one pairing.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Pairing {
    /// The two agents, by their index in the tournament.
    pub agents: [usize; 2],
    /// The tally of their match.
    #[serde(flatten)]
    pub tally: MatchTally,
}

pub(crate) fn are_unknown(programs: &[Option<String>]) -> bool {
    programs.iter().all(Option::is_none)
}

impl Pairing {
    /// Whether this can be the result of two of the agents of a tournament. Checked where a pairing is
    /// read from a file, whose content may be anything.
    fn is_possible(&self, of: &Settings) -> bool {
        let [one, other] = self.agents;
        one != other
            && one.max(other) < of.agents.len()
            && self.tally.is_possible()
            && self.tally.score.games() / 2 == of.first.pairs
    }

    /// Whether an agent was the first (0) or the second (1); `None` if it did not take part.
    fn place(&self, agent: usize) -> Option<usize> {
        self.agents.iter().position(|&number| number == agent)
    }

    /// The win rate of an agent and half the width of its 95 % interval; `None` if it did not take
    /// part.
    pub fn rate(&self, agent: usize) -> Option<(f64, f64)> {
        let place = self.place(agent)?;
        let summary = self.tally.score.summary();
        let rate = if place == 0 { summary.win_rate } else { 1.0 - summary.win_rate };
        Some((rate, (summary.interval.high - summary.interval.low) / 2.0))
    }

    /// The luck-adjusted win rate of an agent and half the width of its interval; `None` if it did
    /// not take part or luck was not measured.
    pub fn adjusted_rate(&self, agent: usize) -> Option<(f64, f64)> {
        let place = self.place(agent)?;
        let adjusted = self.tally.luck.as_ref().and_then(Control::adjusted);
        let Estimate { mean, interval, .. } = adjusted?.estimate;
        let rate = if place == 0 { mean } else { 1.0 - mean };
        Some((rate, (interval.high - interval.low) / 2.0))
    }

    /// The tally of an agent beside its score; `None` if it did not take part.
    pub fn of(&self, agent: usize) -> Option<AgentTally> {
        self.place(agent).map(|place| self.tally.agent(place))
    }
}

/// The seed of the set-ups and dice of a pairing, in a tournament with this seed. The first pairing
/// is the match that two agents alone would play.
pub fn seed_of_pairing(seed: u64, [one, other]: [usize; 2]) -> u64 {
    match [one, other] {
        [0, 1] => seed,
        _ => Random::seed_for(seed, &[one as u64, other as u64]),
    }
}

/// All pairs of `count` agents, each once, in the order in which they are played.
pub fn pairings(count: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..count).flat_map(move |one| (one + 1..count).map(move |other| [one, other]))
}

/// A round-robin tournament to be played.
///
/// ```
/// use wurfel_arena::{SetUps, Tournament, standing};
/// use wurfel_core::Budget;
/// use wurfel_games::einstein::Einstein;
///
/// let tournament = Tournament {
///     specs: vec!["random".parse()?, "greedy".parse()?, "expecti:depth=1".parse()?],
///     pairs: 20,
///     seed: 1,
///     budget: Budget::default(),
///     setups: SetUps::Random,
///     luck: false,
/// };
/// // On one thread, without a file and without progress.
/// let played = tournament.run(&Einstein::default(), 1, None, &mut |_, _| ())?;
/// let (random, _) = standing(0, &played.pairings);
/// let (search, interval) = standing(2, &played.pairings);
/// assert!(random < search && interval.low < search);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tournament<'a> {
    /// The agents, each of which meets each other one.
    pub specs: Vec<Spec>,
    /// The number of pairs of games in each pairing.
    pub pairs: u64,
    /// The seed of set-ups, dice and agents ([`seed_of_pairing`]).
    pub seed: u64,
    /// The budget of each agent for a move, unless its spec sets one.
    pub budget: Budget<'a>,
    /// Where the set-ups come from. Each agent that chooses does so once, for all its matches.
    pub setups: SetUps,
    /// Whether luck is measured.
    pub luck: bool,
}

/// The pairings that a run of a tournament has finished.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedPairings {
    /// The pairings that are over, in the order of play.
    pub pairings: Vec<Pairing>,
    /// The agent that could not be restarted, if that ended the run.
    pub given_up: Option<NotStarted>,
}

/// The first line of a tournament's file.
#[derive(Serialize, Deserialize)]
pub(crate) struct Settings {
    pub agents: Vec<String>,
    /// The names that programs give themselves, with their versions; missing when there are no programs.
    #[serde(default, skip_serializing_if = "are_unknown")]
    pub programs: Vec<Option<String>>,
    /// The match header of the first pairing; the others differ only in their agents and in the
    /// seed, which follows from this one.
    pub first: MatchHeader,
}

impl Tournament<'_> {
    /// All pairs of agents, in the order in which they are played.
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        pairings(self.specs.len()).collect()
    }

    /// Plays all matches by these rules, one after the other, each on `jobs` threads. With a file, pairings
    /// that an interrupted run has finished are read from it, and each new one is added as a line. The
    /// tournament ends early, after whole pairings, when `budget.stop` turns true or a program cannot be
    /// restarted.
    ///
    /// # Errors
    /// When an agent cannot be built, does not start or cannot choose a set-up, or the file cannot be
    /// written.
    pub fn run<G: Catalogued>(
        &self,
        rules: &G,
        jobs: usize,
        out: Option<&Path>,
        progress: &mut dyn FnMut([usize; 2], MatchProgress<'_>),
    ) -> Result<PlayedPairings, MatchError> {
        // Each agent is built once, so that all its matches share the tables that it loads.
        let entrants: Vec<Entrant<G>> = self
            .specs
            .iter()
            .map(|spec| Entrant::new(rules, spec.clone()))
            .collect::<Result<_, SpecError>>()?;
        let programs: Vec<Option<String>> =
            entrants.iter().map(Entrant::try_start).collect::<Result<_, _>>()?;
        let choose = |entrant: &Entrant<G>| entrant.choose(self.seed, self.budget, jobs);
        let chosen: Option<Vec<ChosenSetUps<G>>> = match self.setups {
            SetUps::Random => None,
            SetUps::Chosen => Some(entrants.iter().map(choose).collect::<Result<_, _>>()?),
        };
        let pairings = self.pairings();
        let meter = self.luck.then(LuckMeter::default_for_game);
        let arrange = |agents: &[usize; 2]| Match {
            budget: self.budget,
            chosen: chosen.as_ref().map(|chosen| agents.map(|agent| chosen[agent])),
            luck: meter.clone(),
            ..Match::between(
                agents.map(|agent| entrants[agent].clone()),
                self.pairs,
                seed_of_pairing(self.seed, *agents),
            )
        };
        let matches: Vec<Match<G>> = pairings.iter().map(arrange).collect();
        let (mut file, mut played) = match (out, matches.first()) {
            (Some(path), Some(first)) => {
                let agents = self.specs.iter().map(ToString::to_string).collect();
                let settings = Settings { agents, programs, first: first.header() };
                let (file, played) = resume(path, &settings, &pairings)?;
                (Some(file), played)
            }
            _ => (None, vec![]),
        };
        for (agents, arranged) in pairings.iter().zip(&matches).skip(played.len()) {
            let report = match arranged.run(jobs, None, &mut |state| progress(*agents, state)) {
                Err(MatchError::GivenUp(given_up)) => {
                    return Ok(PlayedPairings {
                        pairings: played,
                        given_up: Some(given_up.reason),
                    });
                }
                report => report?,
            };
            if !report.complete {
                return Ok(PlayedPairings { pairings: played, given_up: None });
            }
            let pairing = Pairing { agents: *agents, tally: report };
            if let Some(file) = &mut file {
                let line = serde_json::to_string(&pairing).unwrap_or_default() + "\n";
                file.write(line.as_bytes())?;
                file.sync()?;
            }
            played.push(pairing);
        }
        if let Some(file) = file {
            file.finish()?;
        }
        Ok(PlayedPairings { pairings: played, given_up: None })
    }
}

/// Opens the file of a tournament and reads the pairings in it.
fn resume(
    path: &Path,
    settings: &Settings,
    pairings: &[[usize; 2]],
) -> Result<(Draft, Vec<Pairing>), OutputError> {
    let header = serde_json::to_string(settings).unwrap_or_default() + "\n";
    let mut draft = Draft::begin(path.to_owned(), &header)?;
    let mut played: Vec<Pairing> = vec![];
    let lines = draft.retain_lines(|number, line| {
        if number > 0 {
            let next = pairings.get(played.len());
            let pairing = serde_json::from_str::<Pairing>(line).ok();
            let fits =
                |pairing: &Pairing| Some(&pairing.agents) == next && pairing.is_possible(settings);
            let expected = || match next {
                Some([one, other]) => format!("expected agent {one} against agent {other}"),
                None => "expected no further line".to_owned(),
            };
            played.push(pairing.filter(fits).ok_or_else(expected)?);
        }
        Ok(true)
    })?;
    if lines == 0 {
        draft.write(header.as_bytes())?;
    }
    Ok((draft, played))
}

/// The agents and the finished pairings in the text of a tournament's file, which need not be
/// complete; `None` when the text is something else.
pub fn read_pairings(text: &str) -> Option<(Vec<String>, Vec<Pairing>)> {
    let mut lines = text.lines();
    let settings: Settings = serde_json::from_str(lines.next()?).ok()?;
    let fits = |pairing: &Pairing| pairing.is_possible(&settings);
    let played = lines.map_while(|line| serde_json::from_str(line).ok()).take_while(fits).collect();
    Some((settings.agents, played))
}

/// The mean of an agent's win rates against the others, each opponent counting the same, with its
/// 95 % interval.
pub fn standing(agent: usize, pairings: &[Pairing]) -> (f64, Interval) {
    let rates: Vec<(f64, f64)> =
        pairings.iter().filter_map(|pairing| pairing.rate(agent)).collect();
    mean_of(&rates)
}

/// The mean of an agent's luck-adjusted win rates, with its 95 % interval; `None` unless luck was
/// measured in all its pairings.
pub fn adjusted_standing(agent: usize, pairings: &[Pairing]) -> Option<(f64, Interval)> {
    let own = pairings.iter().filter(|pairing| pairing.place(agent).is_some());
    let rates: Vec<(f64, f64)> =
        own.map(|pairing| pairing.adjusted_rate(agent)).collect::<Option<_>>()?;
    (!rates.is_empty()).then(|| mean_of(&rates))
}

/// The mean of rates, each given with half the width of its interval.
fn mean_of(rates: &[(f64, f64)]) -> (f64, Interval) {
    let count = rates.len().max(1) as f64;
    let mean = rates.iter().map(|(rate, _)| rate).sum::<f64>() / count;
    let half = rates.iter().map(|(_, half)| half * half).sum::<f64>().sqrt() / count;
    (mean, Interval { low: mean - half, high: mean + half })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_games::einstein::Einstein;
    use wurfel_statistics::Score;

    fn tournament(agents: &[&str]) -> Tournament<'static> {
        let specs = agents.iter().map(|text| text.parse().unwrap()).collect();
        let (budget, setups) = (Budget::default(), SetUps::Random);
        Tournament { specs, pairs: 20, seed: 1, budget, setups, luck: true }
    }

    /// Found by the fuzz target `runs`: counts near 2⁶⁴, first those of games and then those of
    /// faults, overflowed when they were added up.
    #[test]
    fn reading_ends_at_a_pairing_that_no_match_can_have() {
        let header = MatchHeader::of_games("einstein", ["a".into(), "b".into()], 1);
        let header = serde_json::to_string(&header).unwrap();
        let pairing = |agents: [usize; 2], wins: u64, faults: [u64; 3]| {
            let mut tally = MatchTally { faults: [[0; 3], faults], ..MatchTally::default() };
            tally.score = Score { wins, draws: 0, losses: 1, pairs: [0, 0, 1, 0, 0] };
            serde_json::to_string(&Pairing { agents, tally }).unwrap()
        };
        let read = |line: String| {
            let good = pairing([0, 1], 1, [1, 0, 0]);
            let text = format!(r#"{{"agents":["a","b"],"first":{header}}}"#);
            let (_, pairings) = read_pairings(&[text, good, line].join("\n")).unwrap();
            pairings.len()
        };
        assert_eq!(read(pairing([1, 0], 1, [0, 1, 0])), 2);
        for impossible in [
            pairing([0, 1], u64::MAX, [0; 3]),
            pairing([0, 1], 2, [0; 3]),
            pairing([0, 1], 1, [0, 1, 1]),
            pairing([0, 1], 1, [u64::MAX, 1, 1]),
            pairing([1, 1], 1, [0; 3]),
            pairing([0, 2], 1, [0; 3]),
        ] {
            assert_eq!(read(impossible.clone()), 1, "{impossible}");
        }
    }

    #[test]
    fn all_meet_all_and_a_stopped_tournament_resumes() {
        let folder = tempfile::tempdir().unwrap();
        let (whole, cut) = (folder.path().join("whole"), folder.path().join("cut"));
        let three = tournament(&["random", "greedy", "expecti:depth=1"]);
        let played =
            three.run(&Einstein::default(), 2, Some(&whole), &mut |_, _| ()).unwrap().pairings;
        let agents: Vec<_> = played.iter().map(|pairing| pairing.agents).collect();
        assert_eq!(agents, [[0, 1], [0, 2], [1, 2]]);
        assert!(played.iter().all(|pairing| pairing.tally.score.games() == 40));
        let text = std::fs::read_to_string(&whole).unwrap();
        let (agents, read) = read_pairings(&text).unwrap();
        assert_eq!((agents.len(), read[2].tally.score), (3, played[2].tally.score));
        assert_eq!(read_pairings("{}\n"), None);
        // A run was killed while it wrote the second pairing.
        let part = text.lines().take(2).collect::<Vec<_>>().join("\n") + "\n{\"agents\":[0,";
        std::fs::write(folder.path().join("cut.part"), part).unwrap();
        let again =
            three.run(&Einstein::default(), 1, Some(&cut), &mut |_, _| ()).unwrap().pairings;
        assert_eq!(again[0], played[0]);
        for (one, other) in again.iter().zip(&played) {
            assert_eq!(one.tally.score, other.tally.score);
        }
        assert!(three.run(&Einstein::default(), 1, Some(&cut), &mut |_, _| ()).is_err());

        // Pairings after a missing line are not played again: the missing line is reported.
        let gap = folder.path().join("gap");
        let lines: Vec<&str> = text.lines().collect();
        let part = [lines[0], lines[1], lines[3], ""].join("\n");
        std::fs::write(folder.path().join("gap.part"), part).unwrap();
        let refused = three.run(&Einstein::default(), 1, Some(&gap), &mut |_, _| ()).unwrap_err();
        let expected = "gap.part', line 3: expected agent 0 against agent 2 (fix the line";
        assert!(refused.to_string().contains(expected), "{refused}");
    }

    #[test]
    fn a_standing_counts_each_opponent_once_and_from_the_right_side() {
        let three = tournament(&["random", "greedy", "expecti:depth=1"]);
        let played = three.run(&Einstein::default(), 2, None, &mut |_, _| ()).unwrap().pairings;
        let rates: Vec<f64> = (0..3).map(|agent| standing(agent, &played).0).collect();
        assert!((rates.iter().sum::<f64>() - 1.5).abs() < 1e-12, "{rates:?}");
        let random = [0, 1].map(|n| played[n].tally.score.summary().win_rate);
        assert!((rates[0] - f64::midpoint(random[0], random[1])).abs() < 1e-12);
        let interval = standing(1, &played).1;
        assert!(interval.low < rates[1] && rates[1] < interval.high);
        let adjusted: f64 = (0..3).map(|agent| adjusted_standing(agent, &played).unwrap().0).sum();
        assert!((adjusted - 1.5).abs() < 1e-12, "{adjusted}");
    }
}
