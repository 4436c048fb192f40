//! `wurfel solve`: the exact value of every move.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;
use wurfel_agents::Catalogued;
use wurfel_core::{Budget, Situation};
use wurfel_games::shared_evaluation;
use wurfel_search::{Cutoffs, Solution, SolvedRoll, Star, TranspositionTable};
use wurfel_tablebase::TablebaseEvaluator;

use crate::batch::{Answer, PositionArgs, answer_each};
use crate::bounds::whole;
use crate::commands::tables::TablesFolder;
use crate::game_command::GameCommand;
use crate::stop::{self, Stopped};
use crate::work::{Jobs, OpenBar};
use crate::{Done, bounds};

/// Finds the exact win probability of every move of a rolled position, or of every roll
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel solve '5/1B3/2C2/5/2cba r 3 1'\n  \
    wurfel solve '5/1B3/2C2/5/2cba r' --json\n\n\
    The search goes down to positions in the tablebase (see `wurfel tables`). Tables for up to 4\n\
    pieces are built when they are missing; larger ones make the search much faster. Ctrl-C ends\n\
    it and shows what is known. Values are win probabilities of the side to move, within 0.01 %.")]
pub struct Solve {
    #[command(flatten)]
    query: PositionArgs,
    #[command(flatten)]
    folder: TablesFolder,
    /// Memory of the transposition table in megabytes
    #[arg(long, default_value_t = 256, value_parser = whole::<u32>(1..=1 << 20))]
    memory: u32,
    /// Time for each position, such as 10s, after which what is known is shown (no limit if left
    /// out)
    #[arg(long, value_parser = bounds::time, allow_hyphen_values = true)]
    time: Option<Duration>,
    #[command(flatten)]
    jobs: Jobs,
}

/// The results for a position. All values are win probabilities of the side to move.
#[derive(Serialize)]
struct Report {
    position: String,
    /// The exact value; missing when only bounds are known.
    value: Option<f32>,
    /// The lower bound of the value.
    low: f32,
    /// The upper bound of the value.
    high: f32,
    rolls: Vec<SolvedRollReport>,
    nodes: u64,
    seconds: f64,
    #[serde(skip)]
    picture: String,
}

#[derive(Serialize)]
struct SolvedRollReport {
    roll: String,
    weight: u32,
    low: f32,
    high: f32,
    moves: Vec<Move>,
}

#[derive(Serialize)]
struct Move {
    #[serde(rename = "move")]
    mv: String,
    /// The exact value after the move; missing when it is not known.
    value: Option<f32>,
}

impl SolvedRollReport {
    fn new<G: Catalogued>(roll: &SolvedRoll<G>) -> Self {
        let (low, high) = roll.bounds();
        let moves = roll.moves.iter();
        Self {
            roll: roll.roll.item.to_string(),
            weight: roll.roll.weight,
            low,
            high,
            moves: moves.map(|of| Move { mv: of.mv.to_string(), value: of.value }).collect(),
        }
    }
}

fn percent(value: Option<f32>) -> String {
    value.map_or("?".into(), |value| format!("{:.2} %", 100.0 * value))
}

fn between(low: f32, high: f32) -> String {
    if low < high {
        format!("between {} and {}", percent(Some(low)), percent(Some(high)))
    } else {
        percent(Some(low))
    }
}

impl Answer for Report {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.picture)?;
        for roll in &self.rolls {
            write!(out, "@{}", roll.roll)?;
            for of in &roll.moves {
                write!(out, "  {} {}", of.mv, percent(of.value))?;
            }
            writeln!(out)?;
        }
        let what = if self.rolls.len() == 1 { "value" } else { "before the roll" };
        writeln!(out, "{what}: {}", between(self.low, self.high))?;
        writeln!(out, "{} nodes, {:.3} s", HumanCount(self.nodes), self.seconds)
    }
}

impl GameCommand for Solve {
    fn game(&self) -> &str {
        &self.query.form.game
    }

    fn run_for<G: Catalogued>(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Solve { query, folder, memory, time, jobs } = self;
        let tables = Arc::new(folder.tables_for_search::<G>()?);
        // The evaluation only orders moves here, so a virtual call costs no measurable time.
        let evaluator = shared_evaluation::<G>(G::EVALUATIONS[0].name)?;
        let evaluator = TablebaseEvaluator::new(evaluator, tables);
        let table = Arc::new(TranspositionTable::new(memory as usize));
        let star = Star::new(evaluator, Cutoffs::Star2, table, Budget::default());
        let budget = Budget { time, stop: Some(stop::on_ctrl_c()), ..Budget::default() };
        answer_each::<G, _>(&query.position, &query.form, out, |situation| {
            let Situation { position, roll } = &situation;
            if position.outcome().is_some() {
                bail!("position '{situation}': nothing to solve, the game is over");
            }
            // A search that was stopped shows its results so far, and no other search is begun.
            if budget.stopped() {
                bail!(Stopped);
            }
            let started = Instant::now();
            let bar = OpenBar::new("moves", query.form.json);
            let mut solved = 0;
            let solution = stop::working(|| {
                star.solve_moves(position, *roll, jobs.count(), budget, |known, moves| {
                    solved += 1;
                    bar.show(solved, moves as u64);
                    let (low, high) = known.bounds();
                    bar.tell(between(low, high));
                })
            });
            drop(bar);
            let picture = position.diagram(*roll).text(false);
            Ok(report(&situation, &solution, started.elapsed().as_secs_f64(), picture))
        })?;
        Ok(if budget.stopped() { Done::Stopped } else { Done::All })
    }
}

fn report<G: Catalogued>(
    situation: &Situation<G>,
    solution: &Solution<G>,
    seconds: f64,
    picture: String,
) -> Report {
    let (low, high) = solution.bounds();
    Report {
        position: situation.to_string(),
        value: (low >= high).then_some(low),
        low,
        high,
        rolls: solution.rolls.iter().map(SolvedRollReport::new).collect(),
        nodes: solution.nodes,
        seconds,
        picture,
    }
}
