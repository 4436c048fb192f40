//! `wurfel analyse`: the value of every legal move.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use indicatif::{HumanCount, HumanFloatCount};
use serde::Serialize;
use wurfel::{Agent, NoAnswer, Position};
use wurfel_agents::{DEFAULT_AGENT, Spec};
use wurfel_arena::{AnalysisError, PositionReport, ScoredTurn};
use wurfel_core::{Budget, Random};

use crate::Done;
use crate::batch::{Answer, PositionArgs, answer_each};
use crate::bounds::Bounds;
use crate::progress::waiting;
use crate::stop::{self, Stopped};

/// Evaluates every legal move of a rolled position, or of every roll
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel analyse 'ABC2/DE3/F3f/3ed/2cba r 4 1'\n  \
    wurfel analyse 'ABC2/DE3/F3f/3ed/2cba r - 1' --depth 5 --json\n\n\
    Without a bound each position gets one second. Before the roll, all rolls share the bounds\n\
    below, while bounds in the agent's own options hold for each roll. Values are win\n\
    probabilities of the side to move; * marks exact ones. Without --agent the champion\n\
    evaluates, and positions with few pieces are solved exactly. All values come from searches of\n\
    the same depth: when more than half of the time is gone, no deeper one is begun. Ctrl-C ends\n\
    the search and, for a rolled position, shows what it has found.")]
pub struct Analyse {
    #[command(flatten)]
    query: PositionArgs,
    /// The agent that evaluates (see `wurfel agents`) [default: the champion, with exact values
    /// where few pieces are left]
    #[arg(long)]
    agent: Option<String>,
    #[command(flatten)]
    bounds: Bounds,
}

/// An agent's evaluation of a position, with a picture of the position.
#[derive(Serialize)]
pub struct AnalysisAnswer {
    #[serde(flatten)]
    report: PositionReport,
    #[serde(skip)]
    picture: String,
}

impl AnalysisAnswer {
    /// Lets an agent evaluate a position. Fails when the game is over, or the work was stopped.
    pub fn new(
        position: &Position,
        spec: &Spec,
        agent: &mut dyn Agent,
        budget: Budget<'_>,
    ) -> anyhow::Result<Self> {
        match agent.analyse(&spec.to_string(), position, budget) {
            Ok(report) => Ok(Self { report, picture: position.diagram().text(false) }),
            Err(NoAnswer::Analysis(AnalysisError::Stopped)) => bail!(Stopped),
            Err(over) => bail!(over),
        }
    }
}

fn percent(value: Option<f64>, exact: bool) -> String {
    let mark = if exact { "*" } else { "" };
    value.map_or("     ?".into(), |value| format!("{:6.2} %{mark}", 100.0 * value))
}

/// A number per second; from a thousand or a million on, in these units.
fn rate(rate: f64) -> String {
    match rate {
        1e6.. => format!("{:.1} M", rate / 1e6),
        1e3.. => format!("{:.1} k", rate / 1e3),
        _ => format!("{rate:.0}"),
    }
}

/// The widths of the columns for a move and for a whole turn, such as three moves of Dice Chess.
const ONE_MOVE: usize = 6;
const WHOLE_TURN: usize = 17;

/// How many whole turns the text shows. The answer in JSON has all that were compared.
const MAX_TURNS: usize = 10;

fn write_turns(turns: &[ScoredTurn], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "whole turns")?;
    for ScoredTurn { moves, value, exact, depth } in turns.iter().take(MAX_TURNS) {
        let (moves, value) = (moves.join(" "), percent(Some(*value), *exact));
        writeln!(out, "{moves:<WHOLE_TURN$} {value}  depth {depth}")?;
    }
    writeln!(out, "\nfirst moves")
}

impl Answer for AnalysisAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { report, picture } = self;
        writeln!(out, "{picture}")?;
        if let Some(turns) = &report.turns {
            write_turns(turns, out)?;
        }
        for scored in report.moves.iter().flatten() {
            let value = percent(scored.value, scored.exact);
            writeln!(out, "{:<ONE_MOVE$} {value}", scored.mv)?;
        }
        let whole = report.rolls.iter().flatten().any(|roll| roll.turn.is_some());
        let width = if whole { WHOLE_TURN } else { ONE_MOVE };
        for roll in report.rolls.iter().flatten() {
            let best = &roll.moves[0];
            let value = percent(roll.value, best.exact);
            let best = roll.turn.as_ref().map_or_else(|| best.mv.clone(), |turn| turn.join(" "));
            writeln!(out, "@{} (weight {})  {best:<width$} {value}", roll.roll, roll.weight)?;
        }
        if report.rolls.is_some() {
            writeln!(out, "before the roll     {}", percent(report.value, false))?;
        }
        if let Some(line) = &report.line {
            writeln!(out, "\nline   {}", line.join(" "))?;
        }
        let counted = report.counted.unwrap_or("nodes");
        writeln!(
            out,
            "{}: depth {}, {} {counted}, {:.3} s, {} {counted}/s",
            report.agent,
            report.depth,
            HumanCount(report.nodes),
            report.seconds,
            rate(report.nodes as f64 / report.seconds.max(1e-9))
        )?;
        for (name, value) in &report.statistics {
            // Small figures, such as an exploration constant, are shown with more decimal places.
            let places = if value.abs() < 10.0 { 1000.0 } else { 10.0 };
            // Adding zero makes a plain zero of a negative one, to which small values may be rounded.
            let rounded = (value * places).round() / places + 0.0;
            writeln!(out, "{name:<20} {}", HumanFloatCount(rounded))?;
        }
        Ok(())
    }
}

impl Analyse {
    /// Evaluates the positions and writes the answers to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Analyse { query, agent, bounds } = self;
        let game = query.form.game()?;
        let spec: Spec = agent.as_deref().unwrap_or(DEFAULT_AGENT).parse()?;
        let analyser = game.agents_of(&spec)?;
        // Exact values would hide the opinion of an agent that was named.
        let analyser = if agent.is_none() { analyser.informed() } else { analyser };
        let mut agent = analyser.make();
        let second = Budget { time: Some(Duration::from_secs(1)), ..Budget::default() };
        let stop = stop::on_ctrl_c();
        let budget = Budget { stop: Some(stop), ..bounds.budget().or(second) };
        answer_each(game, &query.position, &query.form, out, |position| {
            // A search that was stopped shows its results so far, and no other search is begun.
            if budget.stopped() {
                bail!(Stopped);
            }
            // The answer must not depend on the positions before this one.
            agent.begin(Random::new(0));
            let _waiting = waiting("analysing", query.form.json);
            stop::working(|| AnalysisAnswer::new(position, &spec, &mut *agent, budget))
        })?;
        Ok(if budget.stopped() { Done::Stopped } else { Done::All })
    }
}
