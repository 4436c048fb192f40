//! Measures of games, by the words that definitions use for them.
//!
//! A measure is that of the first agent of a match; `a.` and `b.` before a figure of the search name
//! the agent. A proportion always comes with its interval, and so does a mean that has one.

use wurfel_arena::{ConfidenceSequence, Control, Interval, MatchTally, wilson_interval};
use wurfel_core::UnknownName;

use crate::LabError;
use crate::results::ResultCell;

/// The standard errors that a 95 % interval reaches to each side.
pub(crate) const Z: f64 = 1.959_964;

/// The number of standard errors to each side of an interval that is valid at every look, after
/// this many games. A claim may be about several figures, each of which could be wrong: with 1 % for
/// each, a claim about ten of them errs in at most 5 %, since an interval errs to either side. The
/// intervals are tightest at about a thousand games.
pub(crate) fn standard_errors(games: f64) -> f64 {
    ConfidenceSequence::new(0.01, 1000.0).standard_errors(games)
}

/// A figure with its interval, number of cases and unit.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Measured {
    pub value: f64,
    pub interval: Option<(f64, f64)>,
    pub n: u64,
    pub unit: &'static str,
}

impl Measured {
    pub fn plain(value: f64, n: u64, unit: &'static str) -> Self {
        Self { value, interval: None, n, unit }
    }

    pub fn share(value: f64, Interval { low, high }: Interval, n: u64) -> Self {
        Self { value, interval: Some((low, high)), n, unit: "share" }
    }

    /// The same figure with an interval that is valid however often one looks.
    pub fn at_every_look(self, report: &MatchTally, measure: &str) -> Self {
        let errors = standard_errors(self.n as f64);
        if measure == "score" {
            let Interval { low, high } = report.score.interval_reaching(errors);
            return Self { interval: Some((low, high)), ..self };
        }
        self.reaching(errors)
    }

    /// The same figure with an interval that reaches this many standard errors to each side.
    pub fn reaching(self, errors: f64) -> Self {
        let reach = |end: f64| self.value + (end - self.value) * errors / Z;
        let interval = self.interval.map(|(low, high)| (reach(low), reach(high)));
        Self { interval, ..self }
    }

    /// The share of points of the opponent.
    pub fn for_opponent(self) -> Self {
        let interval = self.interval.map(|(low, high)| (1.0 - high, 1.0 - low));
        Self { value: 1.0 - self.value, interval, ..self }
    }

    /// The cell of the figure.
    pub fn cell(self, row: &str, column: &str) -> ResultCell {
        let Self { value, interval, n, unit } = self;
        ResultCell { interval, n, unit: unit.to_owned(), ..ResultCell::new(row, column, value) }
    }
}

/// The figure that counts the moves of a search tree. The nodes of a tree search with random
/// playouts are its playouts, so the size of the tree is what distinguishes two such searches.
const TREE: &str = "moves in the tree";

/// A figure that a search reports about itself.
struct Figure {
    /// The word of definitions for it.
    word: &'static str,
    /// Its name among the figures that searches report.
    name: &'static str,
    /// The factor that converts it to its unit here.
    factor: f64,
    unit: &'static str,
}

impl Figure {
    const fn new(word: &'static str, name: &'static str, factor: f64, unit: &'static str) -> Self {
        Self { word, name, factor, unit }
    }
}

const FIGURES: &[Figure] = &[
    Figure::new("depth", "depth", 1.0, "turns"),
    Figure::new("mean_depth", "mean depth", 1.0, "moves"),
    Figure::new("nodes", "nodes", 1.0, "nodes"),
    Figure::new("tree", TREE, 1.0, "moves"),
    // This is not a proportion of independent cases, so it has no interval.
    Figure::new("pruned", "per cent pruned", 0.01, "share of moves"),
];

/// The measures of an agent, in addition to [`FIGURES`] and their largest values.
const OF_AGENTS: &[&str] = &["ns", "turns_to_win", "saved_nodes", "faults"];

/// The measures of a match.
const OF_MATCHES: &[&str] =
    &["score", "won", "lost", "drawn", "games", "luck_adjusted", "first_side", "plies"];

/// Minimum number of parts whose differences give an interval of times.
const MIN_PARTS: usize = 10;

/// The agent (0 or 1) and the rest of the word of a measure.
fn agent_of(measure: &str) -> (usize, &str) {
    match measure.split_once('.') {
        Some(("a", rest)) => (0, rest),
        Some(("b", rest)) => (1, rest),
        _ => (0, measure),
    }
}

/// The figure of a search with this word, and whether its largest value is meant.
fn figure(word: &str) -> Option<(&'static Figure, bool)> {
    let find = |word: &str| FIGURES.iter().find(|figure| figure.word == word);
    let largest = || find(word.strip_suffix("_max")?).map(|figure| (figure, true));
    find(word).map(|figure| (figure, false)).or_else(largest)
}

/// Refuses words that are not measures; `others` are accepted as well.
pub(crate) fn check(measure: &str, others: &[&str]) -> Result<(), LabError> {
    let (_, word) = agent_of(measure);
    let known = if word == measure { [OF_MATCHES, others].concat() } else { vec![] };
    if known.contains(&word) || OF_AGENTS.contains(&word) || figure(word).is_some() {
        return Ok(());
    }
    let figures = FIGURES.iter().map(|figure| figure.word);
    let all: Vec<&str> =
        known.into_iter().chain(OF_AGENTS.iter().copied()).chain(figures).collect();
    Err(UnknownName::new("measure", word, &all).into())
}

/// Whether a measure needs the luck of the games.
pub(crate) fn needs_luck(measure: &str) -> bool {
    measure == "luck_adjusted"
}

/// A measure of a match; `None` where there is no such figure, as with the depth of an agent that
/// does not search.
pub(crate) fn of_match(report: &MatchTally, measure: &str) -> Option<Measured> {
    let score = &report.score;
    let games = score.games();
    let count = |count: u64| Some(Measured::plain(count as f64, games, "games"));
    match measure {
        "score" => {
            let summary = score.summary();
            Some(Measured::share(summary.win_rate, summary.interval, games))
        }
        "won" => count(score.wins),
        "lost" => count(score.losses),
        "drawn" => count(score.draws),
        "games" => count(games),
        "first_side" => Some(first_side(report)),
        "plies" => Some(Measured::plain(report.mean_plies(), games, "turns")),
        "luck_adjusted" => {
            let adjusted = report.luck.as_ref().and_then(Control::adjusted)?.estimate;
            Some(Measured::share(adjusted.mean, adjusted.interval, games))
        }
        _ => of_agent(report, measure),
    }
}

/// A measure of a match that was played in parts. Only parts show how much times vary, so the mean
/// time of a turn has an interval here, by the ratio estimator over parts (W. G. Cochran, "Sampling
/// Techniques", 1977, §6.3), if there are enough of them.
pub(crate) fn of_parts(
    parts: &[MatchTally],
    report: &MatchTally,
    measure: &str,
) -> Option<Measured> {
    let measured = of_match(report, measure)?;
    let (agent, word) = agent_of(measure);
    if word != "ns" || parts.len() < MIN_PARTS {
        return Some(measured);
    }
    let moves = report.timing[agent].moves as f64;
    let squares: f64 = parts
        .iter()
        .map(|part| &part.timing[agent])
        .map(|timing| timing.total.as_nanos() as f64 - measured.value * timing.moves as f64)
        .map(|error| error * error)
        .sum();
    let count = parts.len() as f64;
    let half = Z * (squares * count / (count - 1.0)).sqrt() / moves.max(1.0);
    Some(Measured { interval: Some((measured.value - half, measured.value + half)), ..measured })
}

/// A measure of one agent of a match.
fn of_agent(report: &MatchTally, measure: &str) -> Option<Measured> {
    let (agent, word) = agent_of(measure);
    let timing = &report.timing[agent];
    let mean = |agent: usize, figure: &str| report.searches[agent].get(figure)?.mean();
    match word {
        "ns" => {
            let value = timing.total.as_nanos() as f64 / timing.moves.max(1) as f64;
            Some(Measured::plain(value, timing.moves, "ns"))
        }
        "turns_to_win" => {
            let wins = &report.wins[agent];
            let interval = wins.interval_of_turns().map(|interval| (interval.low, interval.high));
            let value = wins.mean_turns()?;
            Some(Measured { value, interval, n: wins.games, unit: "turns" })
        }
        "faults" => {
            let faults: u64 = report.faults[agent].iter().sum();
            Some(Measured::plain(faults as f64, report.score.games(), "games"))
        }
        "saved_nodes" => {
            let trees = mean(agent, TREE).zip(mean(1 - agent, TREE));
            let nodes = || mean(agent, "nodes").zip(mean(1 - agent, "nodes"));
            let (own, other) = trees.or_else(nodes)?;
            let value = 1.0 - own / other;
            Some(Measured::plain(value, timing.moves, "share of nodes"))
        }
        _ => {
            let (figure, largest) = figure(word)?;
            let tally = report.searches[agent].get(figure.name)?;
            let value = if largest { tally.max } else { tally.mean()? };
            Some(Measured::plain(figure.factor * value, tally.count, figure.unit))
        }
    }
}

/// The share of the points that the first side won. Both games of a pair have the same dice, and
/// where two equal agents make no random choices they are even the same game, so only pairs count
/// as independent.
fn first_side(report: &MatchTally) -> Measured {
    let games = report.score.games();
    let points = report.first_side_wins as f64 + report.score.draws as f64 / 2.0;
    let value = points / games.max(1) as f64;
    Measured::share(value, interval_of(value, games / 2), games)
}

/// The share of `part` in `of` independent cases, with its interval.
pub(crate) fn share(part: u64, of: u64) -> Measured {
    let share = part as f64 / of.max(1) as f64;
    Measured::share(share, interval_of(share, of), of)
}

/// The 95 % interval of a share of independent cases.
fn interval_of(share: f64, cases: u64) -> Interval {
    wilson_interval(share, Z, cases.max(1) as f64)
}

/// The report without the luck of its games, which cannot be converted to the other agent's view.
pub(crate) fn without_luck(report: MatchTally) -> MatchTally {
    MatchTally { luck: None, ..report }
}

/// The report of a match as seen from its second agent, without luck.
pub(crate) fn from_other_side(report: MatchTally) -> MatchTally {
    let mut report = without_luck(report);
    std::mem::swap(&mut report.score.wins, &mut report.score.losses);
    report.score.pairs.reverse();
    report.faults.reverse();
    report.reasons.reverse();
    report.wins.reverse();
    report.timing.reverse();
    report.searches.reverse();
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_has_wilsons_interval() {
        // Wilson (1927) for 81 of 263: 0.2553 to 0.3662 (Newcombe 1998, table I).
        let Measured { value, interval, .. } = share(81, 263);
        let (low, high) = interval.unwrap();
        assert!((value - 0.30798).abs() < 1e-4);
        assert!((low - 0.2553).abs() < 1e-4 && (high - 0.3662).abs() < 1e-4, "{low} {high}");
    }

    #[test]
    fn measures_are_known_by_their_words() {
        for known in ["score", "a.depth", "b.depth_max", "ns", "b.turns_to_win", "pruned"] {
            assert!(check(known, &[]).is_ok(), "{known}");
        }
        assert!(check("rank", &["rank"]).is_ok());
        for unknown in ["rank", "a.score", "a.height", "depth_least", ""] {
            assert!(check(unknown, &[]).is_err(), "{unknown}");
        }
        assert_eq!(
            check("scroe", &[]).unwrap_err().to_string(),
            "unknown measure 'scroe': did you mean 'score'?"
        );
    }

    #[test]
    fn the_time_of_a_turn_has_an_interval_if_enough_parts_show_how_it_varies() {
        let part = |ns: u64| {
            let mut part = MatchTally::default();
            part.timing[0].moves = 10;
            part.timing[0].total = std::time::Duration::from_nanos(10 * ns);
            part
        };
        let of = |parts: &[MatchTally]| {
            let mut report = MatchTally::default();
            for part in parts {
                report.merge(part);
            }
            of_parts(parts, &report, "a.ns").unwrap()
        };
        // Half of the parts take 90 ns a turn and half 110: the standard error is 10 / √19.
        let parts: Vec<MatchTally> = (0..20).map(|n| part(90 + 20 * (n % 2))).collect();
        let Measured { value, interval, .. } = of(&parts);
        let (low, high) = interval.unwrap();
        assert!((value - 100.0).abs() < 1e-9);
        assert!((high - 104.4964).abs() < 1e-3 && (low - 95.5036).abs() < 1e-3, "{low} {high}");
        assert_eq!(of(&parts[..9]).interval, None);
    }

    #[test]
    fn a_match_is_measured_from_either_side() {
        let mut report = MatchTally::default();
        for halves in [[2, 2], [2, 0], [2, 1]] {
            report.score.add(halves);
        }
        let value = |report: &MatchTally, word: &str| of_match(report, word).unwrap().value;
        assert!((value(&report, "score") - 0.75).abs() < 1e-12);
        assert_eq!((value(&report, "won"), value(&report, "lost")), (4.0, 1.0));
        let other = from_other_side(report.clone());
        assert!((value(&other, "score") - 0.25).abs() < 1e-12);
        assert_eq!((value(&other, "won"), value(&other, "drawn")), (1.0, 1.0));
        assert_eq!(of_match(&report, "depth"), None);
        // Of six games the first side won three and one was drawn; only three pairs are
        // independent.
        report.first_side_wins = 3;
        let first = of_match(&report, "first_side").unwrap();
        assert!((first.value - 3.5 / 6.0).abs() < 1e-12);
        let (low, high) = first.interval.unwrap();
        assert!(high - low > 0.6, "{low} {high}");
    }
}
