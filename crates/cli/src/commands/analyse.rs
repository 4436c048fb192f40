//! `wurfel analyse`: what every legal move is worth.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use indicatif::{HumanCount, HumanFloatCount};
use serde::Serialize;
use wurfel_arena::{DEFAULT_AGENT, Spec, build};
use wurfel_game::{Agent, Analysis, Assessment, Budget, Game, Random, Situation, Turn, Weighted};
use wurfel_games::{Playable, UseGame, with_game};

use crate::Done;
use crate::batch::{Answer, Query, answer_each};
use crate::bounds::Bounds;
use crate::stop::{self, Stopped};

/// Judges every legal move of a position; without a die, of every throw
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wurfel analyse 'ABC2/DE3/F3f/3ed/2cba r 4 1'\n  \
    wurfel analyse 'ABC2/DE3/F3f/3ed/2cba r - 1' --depth 5 --json\n\n\
    Without a bound each position gets one second. Values are win probabilities of the side to\n\
    move; * marks exact ones. Ctrl-C ends the search and shows what it has found.")]
pub struct Analyse {
    #[command(flatten)]
    query: Query,
    /// The agent that judges (see `wurfel agents`)
    #[arg(long, default_value = DEFAULT_AGENT)]
    agent: String,
    #[command(flatten)]
    bounds: Bounds,
}

/// What an agent says of a position.
#[derive(Serialize)]
pub struct Report {
    position: String,
    agent: String,
    /// Of the side to move, 0 to 1.
    value: Option<f64>,
    /// Of a thrown position.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<Judged>>,
    /// Of the thrown position: throws with moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<String>>,
    /// Of a position that is not thrown.
    #[serde(skip_serializing_if = "Option::is_none")]
    throws: Option<Vec<Throw>>,
    nodes: u64,
    depth: u32,
    seconds: f64,
    /// What the agent counted in a thrown position.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    notes: BTreeMap<&'static str, f64>,
    #[serde(skip)]
    picture: String,
}

#[derive(Serialize)]
struct Judged {
    #[serde(rename = "move")]
    mv: String,
    value: Option<f64>,
    exact: bool,
}

#[derive(Serialize)]
struct Throw {
    roll: String,
    weight: u32,
    value: Option<f64>,
    moves: Vec<Judged>,
}

/// The shortest decimal that is this value, as a program should read it.
fn number(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_else(|_| f64::from(value))
}

fn judged<M: ToString + Copy>(moves: &[Assessment<M>]) -> Vec<Judged> {
    let judged = |&Assessment { mv, value, exact }: &Assessment<M>| Judged {
        mv: mv.to_string(),
        value: value.map(number),
        exact,
    };
    moves.iter().map(judged).collect()
}

impl Report {
    /// Lets an agent judge a position.
    ///
    /// # Errors
    /// When the game is over.
    pub fn new<G: Playable>(
        situation: &Situation<G>,
        spec: &Spec,
        agent: &mut dyn Agent<G>,
        budget: Budget,
    ) -> anyhow::Result<Self> {
        let Situation { position, roll } = situation;
        if let Some(outcome) = position.outcome() {
            let end = outcome
                .winner()
                .map_or("it is a draw".to_owned(), |side| format!("{} has won", G::SIDES[side]));
            bail!("position '{situation}': nothing to analyse, the game is over: {end}");
        }
        let started = Instant::now();
        let mut report = Self {
            position: situation.to_string(),
            agent: spec.to_string(),
            value: None,
            moves: None,
            line: None,
            throws: None,
            nodes: 0,
            depth: 0,
            seconds: 0.0,
            notes: BTreeMap::new(),
            picture: position.diagram(*roll).text(false),
        };
        match *roll {
            Some(roll) => {
                report.thrown(&agent.analyse(Turn { position, roll }, budget));
                let notes = agent.notes().into_iter();
                report.notes = notes.map(|note| (note.name, note.value)).collect();
            }
            None => report.all_throws(position, agent, budget)?,
        }
        report.seconds = started.elapsed().as_secs_f64();
        Ok(report)
    }

    fn thrown<G: Game>(&mut self, analysis: &Analysis<G>) {
        self.value = analysis.moves[0].value.map(number);
        self.moves = Some(judged(&analysis.moves));
        let line = analysis.line.iter().map(|(roll, mv)| format!("@{roll} {mv}"));
        self.line = Some(line.collect());
        self.nodes = analysis.nodes;
        self.depth = analysis.depth;
    }

    /// The all-rolls report: each throw gets an equal part of the budget.
    /// Stopped amid it, there is no report: its mean would be of unequal parts.
    fn all_throws<G: Game>(
        &mut self,
        position: &G,
        agent: &mut dyn Agent<G>,
        budget: Budget,
    ) -> Result<(), Stopped> {
        let rolls = position.rolls();
        let rolls = rolls.as_ref();
        let budget = budget.split(rolls.len() as u32);
        let mut throws = vec![];
        let (mut sum, mut chances) = (Some(0.0), 0.0);
        self.depth = u32::MAX;
        for &Weighted { item: roll, weight } in rolls {
            let analysis = agent.analyse(Turn { position, roll }, budget);
            if budget.stopped() {
                return Err(Stopped);
            }
            let value = analysis.moves[0].value.map(number);
            sum = sum.zip(value).map(|(sum, value)| sum + f64::from(weight) * value);
            chances += f64::from(weight);
            self.nodes += analysis.nodes;
            self.depth = self.depth.min(analysis.depth);
            let moves = judged(&analysis.moves);
            throws.push(Throw { roll: roll.to_string(), weight, value, moves });
        }
        self.value = sum.map(|sum| sum / chances);
        self.throws = Some(throws);
        Ok(())
    }
}

fn percent(value: Option<f64>, exact: bool) -> String {
    let mark = if exact { "*" } else { "" };
    value.map_or("     ?".into(), |value| format!("{:6.2} %{mark}", 100.0 * value))
}

impl Answer for Report {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.picture)?;
        for judged in self.moves.iter().flatten() {
            writeln!(out, "{:<6} {}", judged.mv, percent(judged.value, judged.exact))?;
        }
        for throw in self.throws.iter().flatten() {
            let best = &throw.moves[0];
            let value = percent(throw.value, best.exact);
            writeln!(out, "@{} (weight {})  {:<6} {value}", throw.roll, throw.weight, best.mv)?;
        }
        if self.throws.is_some() {
            writeln!(out, "before the throw     {}", percent(self.value, false))?;
        }
        if let Some(line) = &self.line {
            writeln!(out, "\nline   {}", line.join(" "))?;
        }
        let rate = self.nodes as f64 / self.seconds.max(1e-9) / 1e6;
        writeln!(
            out,
            "{}: depth {}, {} nodes, {:.3} s, {rate:.1} M nodes/s",
            self.agent,
            self.depth,
            HumanCount(self.nodes),
            self.seconds
        )?;
        for (name, value) in &self.notes {
            writeln!(out, "{name:<20} {}", HumanFloatCount((value * 10.0).round() / 10.0))?;
        }
        Ok(())
    }
}

impl Analyse {
    /// Does it.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        with_game(&self.query.form.game, Run { command: &self, out })?
    }
}

struct Run<'a> {
    command: &'a Analyse,
    out: &'a mut dyn Write,
}

impl UseGame for Run<'_> {
    type Output = anyhow::Result<Done>;

    fn with<G: Playable>(self) -> Self::Output {
        let Analyse { query, agent, bounds } = self.command;
        let spec: Spec = agent.parse()?;
        let mut agent = build::<G>(&spec)?();
        let second = Budget { time: Some(Duration::from_secs(1)), ..Budget::default() };
        let stop = stop::on_ctrl_c();
        let budget = Budget { stop: Some(stop), ..bounds.budget().or(second) };
        answer_each::<G, _>(&query.position, query.form.json, self.out, |situation| {
            // A search that was stopped says what it has; the next is not begun.
            if budget.stopped() {
                bail!(Stopped);
            }
            // Each position is judged afresh, whatever was asked before.
            agent.begin(Random::new(0));
            stop::working(|| Report::new(&situation, &spec, &mut *agent, budget))
        })?;
        Ok(if budget.stopped() { Done::Stopped } else { Done::All })
    }
}
