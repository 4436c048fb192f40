//! Several reviewed games taken together: the totals of each player, and, of two players, the
//! luck-adjusted result.
//!
//! Games are added one by one and not stored, so that any number of them takes the same memory. Whether
//! names distinguish the players is known only after the last game, so both tables are filled.

use std::collections::BTreeMap;

use wurfel_core::Side;
use wurfel_statistics::{Control, Estimate, Interval, student_quantile};

use crate::study::review::Totals;
use crate::study::review_report::{ReviewReport, ReviewedPlayer};

/// Sums over units that are independent of each other: mirrored pairs, or single games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Units {
    count: f64,
    /// The squares of the loss, of the number of unforced decisions, and their product.
    lost_lost: f64,
    lost_decisions: f64,
    decisions_decisions: f64,
}

/// The reviewed games of one player.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerReview {
    /// The name, or that of the side where the players are not known.
    pub name: String,
    /// The player's decisions in all games together.
    pub totals: Totals,
    units: Units,
}

impl PlayerReview {
    fn new(name: String) -> Self {
        Self { name, totals: Totals::default(), units: Units::default() }
    }

    fn add_unit(&mut self, totals: Totals) {
        let (lost, decisions) = (totals.lost, totals.unforced as f64);
        self.units.count += 1.0;
        self.units.lost_lost += lost * lost;
        self.units.lost_decisions += lost * decisions;
        self.units.decisions_decisions += decisions * decisions;
    }

    /// The 95 % interval of the error rate, as a ratio of two sums over pairs of games, because the
    /// decisions of a game are not independent of each other (Cochran, *Sampling techniques*,
    /// section 2.11). `None` with fewer than two pairs, or games without one.
    pub fn error_interval(&self) -> Option<Interval> {
        let (Units { count, lost_lost, lost_decisions, decisions_decisions }, rate) =
            (self.units, self.totals.error_rate()?);
        if count < 2.0 {
            return None;
        }
        let squares = lost_lost - 2.0 * rate * lost_decisions + rate * rate * decisions_decisions;
        let error = (squares.max(0.0) * count / (count - 1.0)).sqrt() / self.totals.unforced as f64;
        let half = student_quantile(count - 1.0) * error;
        Some(Interval { low: (rate - half).max(0.0), high: rate + half })
    }
}

/// A mirrored pair with one game so far, or a single game.
#[derive(Clone, PartialEq, Debug, Default)]
struct Unit {
    /// The decisions of both players, the one with the lower number first.
    totals: [Totals; 2],
    /// The number of games with a result, and the points and the luck of the first player in them.
    result: (f64, f64, f64),
}

/// The players of reviewed games, and the results between two of them.
#[derive(Clone, PartialEq, Debug, Default)]
struct Table {
    players: Vec<PlayerReview>,
    /// The pairs with one game so far, by the numbers of their players and their own.
    open: BTreeMap<([usize; 2], u64), Unit>,
    results: Control,
}

impl Table {
    fn place(&mut self, name: &str) -> usize {
        let known = self.players.iter().position(|player| player.name == name);
        known.unwrap_or_else(|| {
            self.players.push(PlayerReview::new(name.to_owned()));
            self.players.len() - 1
        })
    }

    /// Adds a game between players with these names, the first side first.
    fn add(&mut self, names: [&str; 2], report: &ReviewReport) {
        let places = names.map(|name| self.place(name));
        let swapped = places[0] > places[1];
        let numbers = if swapped { [places[1], places[0]] } else { places };
        let open = report.pair.and_then(|pair| self.open.remove(&(numbers, pair)));
        let is_second = open.is_some();
        let mut unit = open.unwrap_or_default();
        let one = if swapped { Side::Second } else { Side::First };
        let totals = [one, !one].map(|side| report.players[side.index()].totals);
        for ((sum, place), totals) in unit.totals.iter_mut().zip(numbers).zip(totals) {
            *sum = sum.plus(totals);
            let all = &mut self.players[place].totals;
            *all = all.plus(totals);
        }
        if let Some(outcome) = report.outcome {
            let (games, points, luck) = &mut unit.result;
            *games += 1.0;
            *points += f64::from(outcome.value_for(one));
            *luck += totals[0].luck - totals[1].luck;
        }
        match report.pair {
            Some(pair) if !is_second => _ = self.open.insert((numbers, pair), unit),
            _ => self.close(numbers, &unit),
        }
    }

    /// Counts a unit that gets no further game.
    fn close(&mut self, numbers: [usize; 2], unit: &Unit) {
        for (place, totals) in numbers.into_iter().zip(unit.totals) {
            self.players[place].add_unit(totals);
        }
        let (games, points, luck) = unit.result;
        if games > 0.0 {
            self.results.add(0, points / games, luck / games);
        }
    }

    /// The table after the last game: pairs with one game count as single games.
    fn whole(mut self) -> Self {
        for ((numbers, _), unit) in std::mem::take(&mut self.open) {
            self.close(numbers, &unit);
        }
        self
    }
}

/// Reviewed games that are added one by one; see [`Series`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SeriesTally {
    games: u64,
    /// Whether a game does not distinguish its players.
    nameless: bool,
    by_side: Table,
    by_name: Table,
}

impl SeriesTally {
    /// Adds a game. The two games of a mirrored pair of the same players count as one result, and a
    /// third one with the same number begins another pair.
    pub fn add(&mut self, report: &ReviewReport) {
        let players = report.players.each_ref();
        let names = players.map(|ReviewedPlayer { player, .. }| player.as_str());
        self.games += 1;
        self.by_side.add(players.map(|player| player.side), report);
        self.nameless |= names[0] == names[1];
        if !self.nameless {
            self.by_name.add(names, report);
        }
    }

    /// The number of games that were added.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The games taken together.
    pub fn series(self) -> Series {
        let table = if self.nameless { self.by_side } else { self.by_name };
        let Table { players, results, .. } = table.whole();
        Series { games: self.games, players, results }
    }
}

/// Reviewed games between players, or between the two sides where the players are not known.
///
/// Games of one mirrored pair count as one result.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    games: u64,
    players: Vec<PlayerReview>,
    /// The results of the first player, of use where there are two.
    results: Control,
}

impl Series {
    /// The number of games that were added.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The players in the order in which the games name them; none when there is no game.
    pub fn players(&self) -> &[PlayerReview] {
        &self.players
    }

    fn control(&self) -> Option<&Control> {
        Some(&self.results).filter(|control| self.players.len() == 2 && control.count() > 1)
    }

    /// The points of the first player per game; `None` with fewer than two results, or more than two players.
    pub fn raw(&self) -> Option<Estimate> {
        self.control().map(Control::raw)
    }

    /// The luck-adjusted points of the first player per game, and the share of the luck that was
    /// taken off: the fitted share, or all of it while there are too few results for a fit.
    pub fn adjusted(&self) -> Option<(Estimate, f64)> {
        let control = self.control()?;
        let fitted = control.adjusted().map(|adjusted| (adjusted.estimate, adjusted.coefficient));
        Some(fitted.unwrap_or_else(|| (control.with_coefficient(1.0), 1.0)))
    }
}
