//! The moves of a turn that `wurfel rollout --moves` compares, and what it tells about them.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::anyhow;
use indicatif::HumanCount;
use serde::Serialize;
use wurfel_arena::{Candidates, Catalogued, Compared, Rollout, Spec};
use wurfel_core::Random;

use crate::batch::Answer;

/// What a comparison of moves has found.
#[derive(Serialize)]
pub struct Choice {
    position: String,
    agent: String,
    error_rate: f64,
    /// The moves, the best first; those that were dropped come last.
    moves: Vec<Candidate>,
    games: u64,
    faults: u64,
    complete: bool,
    seed: u64,
    seconds: f64,
    #[serde(skip)]
    picture: String,
}

/// A move that was compared.
#[derive(Serialize)]
struct Candidate {
    #[serde(rename = "move")]
    mv: String,
    /// The win probability of the side that moves, luck-adjusted where luck was measured.
    value: f64,
    standard_error: f64,
    interval: [f64; 2],
    /// By how much it is behind the best move on the same dice, with the standard error of that.
    behind: Option<Behind>,
    games: u64,
    /// Whether it was dropped before the end.
    dropped: bool,
}

#[derive(Serialize)]
struct Behind {
    value: f64,
    standard_error: f64,
}

/// The best moves of a rollout's player for the roll of its situation.
pub fn choose<G: Catalogued>(
    rollout: Rollout<'_, G>,
    moves: usize,
    error_rate: f64,
) -> anyhow::Result<Candidates<'_, G>> {
    let situation = &rollout.situation;
    let turn = situation.turn();
    let turn = turn.ok_or_else(|| anyhow!("position '{situation}': expected one with a roll"))?;
    let mut player = (rollout.player)();
    player.begin(Random::new(rollout.seed));
    let analysis = player.analyse(turn, rollout.budget);
    if let Some(failure) = player.failure() {
        return Err(anyhow!("{failure}"));
    }
    let moves = analysis.moves.iter().take(moves).map(|of| of.mv).collect();
    Ok(Candidates { rollout, moves, error_rate })
}

impl Choice {
    /// What there is to tell.
    pub fn new<G: Catalogued>(
        candidates: &Candidates<'_, G>,
        found: &Compared,
        spec: &Spec,
        time: Duration,
    ) -> Self {
        let Candidates { rollout, moves, error_rate } = candidates;
        let selection = &found.selection;
        let leader = selection.leader();
        let mut places: Vec<usize> = (0..moves.len()).collect();
        places.sort_by(|&one, &other| {
            let mean = |at: usize| selection.estimate(at).mean;
            let is_in = |at: usize| selection.is_in(at);
            is_in(other).cmp(&is_in(one)).then(mean(other).total_cmp(&mean(one)))
        });
        let candidate = |at: usize| {
            let estimate = selection.estimate(at);
            let behind = (at != leader).then(|| {
                let behind = selection.difference(leader, at);
                Behind { value: behind.mean, standard_error: behind.error }
            });
            Candidate {
                mv: moves[at].to_string(),
                value: estimate.mean,
                standard_error: estimate.error,
                interval: [estimate.interval.low, estimate.interval.high],
                behind,
                games: selection.games(at),
                dropped: !selection.is_in(at),
            }
        };
        let situation = &rollout.situation;
        Self {
            position: situation.to_string(),
            agent: spec.to_string(),
            error_rate: *error_rate,
            moves: places.into_iter().map(candidate).collect(),
            games: found.games,
            faults: found.faults,
            complete: !rollout.budget.stopped(),
            seed: rollout.seed,
            seconds: time.as_secs_f64(),
            picture: situation.position.diagram(situation.roll).text(false),
        }
    }
}

impl Answer for Choice {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.picture)?;
        let widest = self.moves.iter().map(|of| of.mv.chars().count()).max().unwrap_or(0).max(4);
        let heads = ["value", "error", "behind", "error", "games"];
        let [value, error, behind, its_error, games] = heads;
        writeln!(
            out,
            "{:widest$}  {value:>8}  {error:>6}  {behind:>8}  {its_error:>6}  {games:>9}",
            "move"
        )?;
        for Candidate { mv, value, standard_error, behind, games, dropped, .. } in &self.moves {
            let (value, error) = (100.0 * value, 100.0 * standard_error);
            write!(out, "{mv:widest$}  {value:>6.2} %  {error:>6.2}")?;
            match behind {
                Some(Behind { value, standard_error }) => {
                    let (value, error) = (100.0 * value, 100.0 * standard_error);
                    write!(out, "  {value:>6.2} %  {error:>6.2}")?;
                }
                None => write!(out, "  {:>8}  {:>6}", "best", "")?,
            }
            let dropped = if *dropped { "  dropped" } else { "" };
            writeln!(out, "  {:>9}{dropped}", HumanCount(*games).to_string())?;
        }
        let (games, seconds, rate) = (HumanCount(self.games), self.seconds, self.error_rate);
        writeln!(
            out,
            "{}: {games} games in all, {seconds:.2} s; the probability that the best move was \
             dropped is at most {rate}",
            self.agent
        )?;
        match self.faults {
            0 => Ok(()),
            faults => writeln!(out, "{faults} games were lost by crash, illegal move or time"),
        }
    }
}
