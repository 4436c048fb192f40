//! Exact values: tables of positions with few pieces, and what is measured against them.

use std::any::Any;
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

use wurfel_agents::{Catalogued, ExactSearch};
use wurfel_arena::{
    Calibration, CalibrationError, CalibrationSettings, Loss, Regret, RegretSettings,
};
use wurfel_core::{Budget, Failure, NotationError, Situation};
use wurfel_tablebase::{Table, TableError};

use crate::agents::Agents;
use crate::position::Position;
use crate::solver::{Solver, search, solver};

/// The exact values of positions with few pieces of a game.
#[derive(Clone)]
pub struct Tables(Arc<dyn AnyTables>);

/// Which tables are opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TablesWanted {
    /// Those that exist.
    Existing,
    /// Those that exist, and small ones, which are built if missing.
    WithSmall,
    /// Those with at most this many pieces; small ones are built if missing.
    UpTo(u32),
}
/// Tables of a game whose type is erased; [`Tables`] points to them.
pub trait AnyTables: Any + Send + Sync {
    /// The tables, beginning with the one for two pieces.
    fn tables(&self) -> &[Table];

    /// The win probability of the **side to move** before its roll, under best play. `None` when the
    /// position is not in the tables, or in a damaged part of one.
    ///
    /// # Errors
    /// When the position is one of another game, has a roll, or the game is over.
    fn probe(&self, position: &Position) -> Result<Option<f32>, NotationError>;

    /// A solver that looks positions up in these tables, with a transposition table of this size.
    ///
    /// ```
    /// use wurfel::Budget;
    ///
    /// let einstein = wurfel::game("einstein")?;
    /// let position = einstein.read("5/5/2C2/5/3ba r 3 1", false)?;
    /// let report = einstein.no_tables().solver(1).solve(&position, 1, Budget::default(), &mut |_, _| {})?;
    /// assert_eq!(report.rolls[0].moves.len(), position.moves().len());
    /// assert!(report.value.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn solver(&self, megabytes: usize) -> Box<dyn Solver>;

    /// The win probability of the **side to move** before its roll, under best play, by a search down to
    /// these tables; `None` when the budget has ended it. The transposition table has this size.
    ///
    /// ```
    /// use wurfel::Budget;
    ///
    /// let einstein = wurfel::game("einstein")?;
    /// // 4  . . . . .
    /// // 3  . . C . .     red needs two steps to e1,
    /// // 2  . . . . .
    /// // 1  . . . . a     and blue stands on it
    /// let position = einstein.read("5/5/2C2/5/4a r - 1", false)?;
    /// let value = einstein.no_tables().value(&position, 1, 1, Budget::default())?.unwrap();
    /// assert!(value > 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the position is one of another game, has a roll, or the game is over.
    fn value(
        &self,
        position: &Position,
        megabytes: usize,
        threads: usize,
        budget: Budget<'_>,
    ) -> Result<Option<f32>, NotationError>;

    /// How much the decisions of agents lose against perfect play; see [`RegretSettings::measure`].
    ///
    /// # Errors
    /// When an agent has failed, because its decision was then not its own.
    ///
    /// # Panics
    /// When the agents are those of another game.
    fn regret(
        &self,
        agents: &Agents,
        settings: RegretSettings<'_>,
        jobs: usize,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Regret, Failure>;

    /// Passes what some of these decisions lose to `see`, in order; see [`RegretSettings::losses`].
    ///
    /// # Errors
    /// When an agent has failed.
    ///
    /// # Panics
    /// When the agents are those of another game.
    fn losses(
        &self,
        decisions: Range<u64>,
        agents: &Agents,
        settings: RegretSettings<'_>,
        jobs: usize,
        see: &mut dyn FnMut(u64, Loss) -> bool,
    ) -> Result<(), Failure>;

    /// Compares evaluations with the values of a table; see [`CalibrationSettings::measure`].
    ///
    /// # Errors
    /// When an evaluation is not known, or the table is missing or damaged.
    fn calibrate(
        &self,
        evaluations: &[&str],
        settings: CalibrationSettings,
        jobs: usize,
        progress: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Vec<Calibration>, CalibrationError>;
}

struct Typed<G: Catalogued> {
    rules: G,
    tables: Arc<wurfel_tablebase::Tables<G>>,
}

impl Deref for Tables {
    type Target = dyn AnyTables;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Tables {
    pub(crate) fn open<G: Catalogued>(
        rules: &G,
        folder: &Path,
        wanted: TablesWanted,
    ) -> Result<Self, TableError> {
        let tables = match wanted {
            TablesWanted::Existing => wurfel_tablebase::Tables::open(G::NAME, folder, u32::MAX),
            TablesWanted::WithSmall => {
                wurfel_tablebase::Tables::with_small(G::NAME, folder, u32::MAX)
            }
            TablesWanted::UpTo(pieces) => {
                wurfel_tablebase::Tables::with_small(G::NAME, folder, pieces)
            }
        };
        Ok(Self(Arc::new(Typed { rules: rules.clone(), tables: Arc::new(tables?) })))
    }

    pub(crate) fn none<G: Catalogued>(rules: &G) -> Self {
        Self(Arc::new(Typed { rules: rules.clone(), tables: Arc::default() }))
    }

    /// The largest number of pieces of a position in the tables; less than 2 when there are none.
    pub fn max_pieces(&self) -> u32 {
        self.tables().last().map_or(0, Table::pieces)
    }
}

/// The position before its roll, in a game that goes on.
pub(crate) fn at_rest<'a, G: Catalogued>(
    rules: &G,
    position: &'a Position,
) -> Result<&'a G, NotationError> {
    let Situation { position: known, roll } = position.of(rules)?;
    if let Some(roll) = roll {
        return Err(position.refused(&format!("one before the roll, found roll {roll}")));
    }
    if known.outcome().is_some() {
        return Err(position.refused("one before the end, but the game is over"));
    }
    Ok(known)
}

impl<G: Catalogued> Typed<G> {
    fn search(&self, megabytes: usize, threads: usize) -> Box<dyn ExactSearch<G>> {
        search(&self.tables, megabytes, threads)
    }
}

impl<G: Catalogued> AnyTables for Typed<G> {
    fn tables(&self) -> &[Table] {
        self.tables.tables()
    }

    fn probe(&self, position: &Position) -> Result<Option<f32>, NotationError> {
        Ok(self.tables.probe(at_rest(&self.rules, position)?))
    }

    fn solver(&self, megabytes: usize) -> Box<dyn Solver> {
        solver(&self.rules, &self.tables, megabytes)
    }

    fn value(
        &self,
        position: &Position,
        megabytes: usize,
        threads: usize,
        budget: Budget<'_>,
    ) -> Result<Option<f32>, NotationError> {
        let position = at_rest(&self.rules, position)?;
        Ok(self.search(megabytes, threads).solve(position, budget).0)
    }

    fn regret(
        &self,
        agents: &Agents,
        settings: RegretSettings<'_>,
        jobs: usize,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Regret, Failure> {
        settings.measure(&self.rules, agents.of(&self.rules), &self.tables, jobs, progress)
    }

    fn losses(
        &self,
        decisions: Range<u64>,
        agents: &Agents,
        settings: RegretSettings<'_>,
        jobs: usize,
        see: &mut dyn FnMut(u64, Loss) -> bool,
    ) -> Result<(), Failure> {
        settings.losses(&self.rules, decisions, agents.of(&self.rules), &self.tables, jobs, see)
    }

    fn calibrate(
        &self,
        evaluations: &[&str],
        settings: CalibrationSettings,
        jobs: usize,
        progress: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Vec<Calibration>, CalibrationError> {
        settings.measure(evaluations, &self.tables, jobs, progress)
    }
}
