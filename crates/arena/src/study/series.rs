//! Several reviewed games taken together: the totals of each player, and, of two players, the
//! luck-adjusted result.

use std::collections::BTreeMap;

use wurfel_core::Side;
use wurfel_games::Playable;

use crate::records::filed::FiledGame;
use crate::statistics::control::{Control, Estimate};
use crate::statistics::score::{Interval, student};
use crate::study::review::{Review, Totals};

/// The unit that counts as one result: a mirrored pair of two players, identified by their indices,
/// or a single game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Unit {
    Game(u64),
    Pair(usize, usize, u64),
}

/// The reviewed games of one player.
#[derive(Clone, PartialEq, Debug)]
pub struct Reviewed {
    /// The name, or that of the side where the players are not known.
    pub name: String,
    /// The player's decisions in all games together.
    pub totals: Totals,
    /// The losses of unforced decisions and their number, by units that are independent of each
    /// other.
    units: BTreeMap<Unit, (f64, f64)>,
}

impl Reviewed {
    fn new(name: String) -> Self {
        Self { name, totals: Totals::default(), units: BTreeMap::new() }
    }

    fn add(&mut self, unit: Unit, totals: Totals) {
        self.totals = self.totals.plus(totals);
        let (lost, decisions) = self.units.entry(unit).or_default();
        *lost += totals.lost;
        *decisions += totals.unforced as f64;
    }

    /// The 95 % interval of the error rate, as a ratio of two sums over pairs of games, because the
    /// decisions of a game are not independent of each other (Cochran, *Sampling techniques*,
    /// section 2.11). `None` with fewer than two pairs, or games without one.
    pub fn error_interval(&self) -> Option<Interval> {
        let (count, rate) = (self.units.len() as f64, self.totals.error_rate()?);
        if count < 2.0 {
            return None;
        }
        let residual = |(lost, decisions): &(f64, f64)| (lost - rate * decisions).powi(2);
        let squares: f64 = self.units.values().map(residual).sum();
        let error = (squares * count / (count - 1.0)).sqrt() / self.totals.unforced as f64;
        let half = student(count - 1.0) * error;
        Some(Interval { low: (rate - half).max(0.0), high: rate + half })
    }
}

/// Reviewed games between players, or between the two sides where the players are not known.
///
/// Games of one mirrored pair count as one result.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// The players, at least two.
    players: Vec<Reviewed>,
    /// Whether players are distinguished by name, and not by side.
    named: bool,
    games: u64,
    /// For each unit: the number of games, and the points and the luck of the first player. Empty with more than
    /// two players.
    results: BTreeMap<Unit, (f64, f64, f64)>,
}

impl Series {
    /// An empty series for the games that will be added; their records name the players.
    pub fn new<G: Playable>(games: &[FiledGame<G>]) -> Self {
        let mut names: Vec<&str> = vec![];
        for name in games.iter().flat_map(|filed| Side::BOTH.map(|side| &filed.game.players[side]))
        {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        let told = |filed: &FiledGame<G>| {
            filed.game.players[Side::First] != filed.game.players[Side::Second]
        };
        let named = names.len() > 1 && games.iter().all(told);
        let names = if named { names } else { Side::BOTH.map(|side| G::SIDES[side]).to_vec() };
        let players = names.into_iter().map(|name| Reviewed::new(name.to_owned())).collect();
        Self { players, named, games: 0, results: BTreeMap::new() }
    }

    /// Adds a game.
    pub fn add<G: Playable>(&mut self, filed: &FiledGame<G>, review: &Review<G>) {
        let place = |side: Side| {
            let name = &filed.game.players[side];
            let named = || self.players.iter().position(|player| player.name == *name);
            if self.named { named().unwrap_or(0) } else { usize::from(side != Side::First) }
        };
        let places = Side::BOTH.map(place);
        let [low, high] = [places[0].min(places[1]), places[0].max(places[1])];
        let unit = filed.pair.map_or(Unit::Game(self.games), |pair| Unit::Pair(low, high, pair));
        for (place, side) in places.into_iter().zip(Side::BOTH) {
            self.players[place].add(unit, review.totals[side]);
        }
        if let Some(result) = filed.game.result.filter(|_| self.players.len() == 2) {
            let [one, other] =
                if places[0] == 0 { Side::BOTH } else { [Side::Second, Side::First] };
            let luck = review.totals[one].luck - review.totals[other].luck;
            let (games, points, sum) = self.results.entry(unit).or_default();
            *games += 1.0;
            *points += f64::from(result.value_for(one));
            *sum += luck;
        }
        self.games += 1;
    }

    /// The number of games that were added.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The players in the order in which the games name them.
    pub fn players(&self) -> &[Reviewed] {
        &self.players
    }

    fn control(&self) -> Option<Control> {
        let mut control = Control::default();
        for &(games, points, luck) in self.results.values() {
            control.add(0, points / games, luck / games);
        }
        (control.count() > 1).then_some(control)
    }

    /// The points of the first player per game; `None` with fewer than two results, or more than two players.
    pub fn raw(&self) -> Option<Estimate> {
        self.control().map(|control| control.raw())
    }

    /// The luck-adjusted points of the first player per game, and the share of the luck that was
    /// taken off: the fitted share, or all of it while there are too few results for a fit.
    pub fn adjusted(&self) -> Option<(Estimate, f64)> {
        let control = self.control()?;
        let fitted = control.adjusted().map(|found| (found.estimate, found.coefficient));
        Some(fitted.unwrap_or_else(|| (control.with_coefficient(1.0), 1.0)))
    }
}
