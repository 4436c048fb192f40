//! Reviews: what each move of a game lost, and how lucky each roll was.
//!
//! The analyser, which may be any agent that gives a value to every move, evaluates each position
//! of the game before its roll, for every roll. With
//!
//! * *V* the mean over the rolls of the value after the best move for each,
//! * *B* the value after the best move for the roll that fell, by the same search as *V*,
//! * *V′* the value of the next position, evaluated there, or the result,
//!
//! all for the side that moves, the **luck** of the roll is *B* − *V*. What a move **lost** is the
//! best move's value less its own. The rest of the change, *V′* − *B* plus what was lost, is the
//! analyser's **residual**: it searches one turn further from the next position, and its estimate
//! has changed. No player is credited with that. Luck less what was lost plus the residual is the final
//! value less the initial one, whichever analyser evaluates.

use wurfel_core::{Assessment, BySide, Game, Side, Situation};

use crate::study::marks::{Mark, grade};

/// A decision as the analyser sees it. All values are those of the side that **decides**.
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewedDecision<G: Game> {
    /// The position with the roll, or with the dice that are left of it.
    pub situation: Situation<G>,
    /// The move that was made.
    pub mv: G::Move,
    /// *V*: the value before the roll; `None` in the middle of a turn, where nothing is rolled.
    pub before: Option<f64>,
    /// *B*: the value after the best move, by the same search as *V*.
    pub rolled: f64,
    /// Every legal move with its value. Moves that were searched again come first, best first, and
    /// then the others, best first. Values of the two searches cannot be compared.
    pub moves: Vec<Assessment<G::Move>>,
    /// How many moves were searched again; 0 if all values are those of the first search.
    pub again: usize,
    /// How many turns the first search of the moves looked ahead, as the analyser counts them.
    pub depth: u32,
    /// *V′*: the value of the next position, evaluated there.
    pub after: f64,
}

impl<G: Game> ReviewedDecision<G> {
    /// The side that decides.
    pub fn side(&self) -> Side {
        self.situation.position.side()
    }

    /// The moves that can be compared, the one that was made among them, best first: those that
    /// were searched again, or else all.
    pub fn comparable(&self) -> &[Assessment<G::Move>] {
        if self.again > 0 { &self.moves[..self.again] } else { &self.moves }
    }

    /// The value after the best move.
    pub fn best(&self) -> f64 {
        worth(&self.moves[0])
    }

    /// The value after the move that was made.
    pub fn made(&self) -> f64 {
        let made = self.moves.iter().find(|scored| scored.mv == self.mv);
        made.map_or(0.0, worth)
    }

    /// The win probability that the move lost, at least 0.
    pub fn lost(&self) -> f64 {
        self.best() - self.made()
    }

    /// The luck of the roll.
    pub fn luck(&self) -> f64 {
        self.before.map_or(0.0, |before| self.rolled - before)
    }

    /// The analyser's residual: the part of the change of the value that was neither luck nor
    /// lost.
    pub fn residual(&self) -> f64 {
        self.after - self.rolled + self.lost()
    }

    /// Whether there was a choice between several moves.
    pub fn unforced(&self) -> bool {
        self.moves.len() > 1
    }

    /// Whether the values of all moves are exact.
    pub fn exact(&self) -> bool {
        self.moves.iter().all(|scored| scored.exact)
    }

    /// Whether the move is marked by the first search alone, because there was no time to search
    /// again.
    pub fn is_unconfirmed(&self) -> bool {
        self.again == 0 && Mark::of(self.lost()).is_some() && !self.exact()
    }
}

/// The totals of one player's decisions.
#[derive(Clone, Copy, PartialEq, Debug, Default, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Totals {
    /// Decisions between several moves.
    pub unforced: u64,
    /// The win probability that these decisions lost.
    pub lost: f64,
    /// The luck of the player's rolls.
    pub luck: f64,
    /// Decisions marked as doubtful.
    pub doubtful: u64,
    /// Decisions marked as errors.
    pub errors: u64,
    /// Decisions marked as blunders.
    pub blunders: u64,
}

impl Totals {
    pub(super) fn add<G: Game>(&mut self, decided: &ReviewedDecision<G>) {
        self.luck += decided.luck();
        if decided.unforced() {
            self.unforced += 1;
            self.lost += decided.lost();
        }
        match Mark::of(decided.lost()) {
            Some(Mark::Doubtful) => self.doubtful += 1,
            Some(Mark::Error) => self.errors += 1,
            Some(Mark::Blunder) => self.blunders += 1,
            None => {}
        }
    }

    /// The sum of two totals.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            unforced: self.unforced + other.unforced,
            lost: self.lost + other.lost,
            luck: self.luck + other.luck,
            doubtful: self.doubtful + other.doubtful,
            errors: self.errors + other.errors,
            blunders: self.blunders + other.blunders,
        }
    }

    /// The mean win probability lost by an unforced decision; `None` if there was none.
    pub fn error_rate(&self) -> Option<f64> {
        (self.unforced > 0).then(|| self.lost / self.unforced as f64)
    }

    /// The name of the error rate's grade.
    pub fn grade(&self) -> Option<&'static str> {
        self.error_rate().map(grade)
    }
}

/// The review of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Review<G: Game> {
    /// Every decision in order.
    pub decisions: Vec<ReviewedDecision<G>>,
    /// The value before the first roll, for the **first side**.
    pub initial: f64,
    /// The result, or the value of the last position while it is open, for the
    /// **first side**.
    pub last: f64,
    /// The totals of each side's decisions.
    pub totals: BySide<Totals>,
}

impl<G: Game> Review<G> {
    /// The luck of all rolls for the **first side**.
    pub fn luck(&self) -> f64 {
        self.totals[Side::First].luck - self.totals[Side::Second].luck
    }

    /// What all moves lost, as it changed the value for the **first side**: positive if the first
    /// side lost more.
    pub fn lost(&self) -> f64 {
        self.totals[Side::First].lost - self.totals[Side::Second].lost
    }

    /// The analyser's residual for the **first side**: the change of the value over the game
    /// that was neither luck nor lost.
    pub fn residual(&self) -> f64 {
        let signed = |decided: &ReviewedDecision<G>| match decided.side() {
            Side::First => decided.residual(),
            Side::Second => -decided.residual(),
        };
        self.decisions.iter().map(signed).sum()
    }
}

/// The value of a move; 0 where the analyser gives none.
pub(super) fn worth<M>(scored: &Assessment<M>) -> f64 {
    scored.value.map_or(0.0, f64::from)
}
