//! Several reviewed games taken together: the totals of each player, and the luck-adjusted result.

use std::collections::BTreeMap;

use wurfel_core::Side;
use wurfel_games::Playable;

use crate::records::archive::Filed;
use crate::statistics::control::{Control, Estimate};
use crate::study::review::{Review, Totals};

/// The unit that counts as one result: a mirrored pair, or a single game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Unit {
    Game(u64),
    Pair(u64),
}

/// Reviewed games between two players, or between the two sides where the players are not known.
///
/// Games of one mirrored pair count as one result.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    players: [(String, Totals); 2],
    /// Whether players are told apart by name, and not by side.
    named: bool,
    games: u64,
    /// For each pair, or game without one: the number of games, and the points and the luck of the
    /// first player.
    results: BTreeMap<Unit, (f64, f64, f64)>,
}

impl Series {
    /// An empty series for the games that will be added; their records name the players.
    pub fn new<G: Playable>(games: &[Filed<G>]) -> Self {
        let names = |filed: &Filed<G>| Side::BOTH.map(|side| filed.game.players[side].clone());
        let first = games.first().map(names).unwrap_or_default();
        let [one, other] = &first;
        let same = |filed: &Filed<G>| {
            let own = names(filed);
            own == first || [&own[1], &own[0]] == [one, other]
        };
        let named = one != other && games.iter().all(same);
        let players = if named { first } else { Side::BOTH.map(|side| G::SIDES[side].to_owned()) };
        let players = players.map(|name| (name, Totals::default()));
        Self { players, named, games: 0, results: BTreeMap::new() }
    }

    /// Adds a game.
    pub fn add<G: Playable>(&mut self, filed: &Filed<G>, review: &Review<G>) {
        let exchanged = self.named && filed.game.players[Side::First] != self.players[0].0;
        let side = |player: usize| Side::BOTH[player ^ usize::from(exchanged)];
        for (player, (_, totals)) in self.players.iter_mut().enumerate() {
            *totals = totals.plus(review.totals[side(player)]);
        }
        if let Some(result) = filed.game.result {
            let luck = review.totals[side(0)].luck - review.totals[side(1)].luck;
            let unit = filed.pair.map_or(Unit::Game(self.games), Unit::Pair);
            let (games, points, sum) = self.results.entry(unit).or_default();
            *games += 1.0;
            *points += f64::from(result.value_for(side(0)));
            *sum += luck;
        }
        self.games += 1;
    }

    /// The number of games that were added.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The names of the players with the totals of their decisions.
    pub fn players(&self) -> [(&String, Totals); 2] {
        self.players.each_ref().map(|(name, totals)| (name, *totals))
    }

    fn control(&self) -> Option<Control> {
        let mut control = Control::default();
        for &(games, points, luck) in self.results.values() {
            control.add(0, points / games, luck / games);
        }
        (control.count() > 1).then_some(control)
    }

    /// The points of the first player per game; `None` with fewer than two results.
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
