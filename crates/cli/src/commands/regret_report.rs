//! The output of `wurfel regret` about an agent.

use std::io::{self, Write};

use serde_json::{Value, json};
use wurfel_agents::Spec;
use wurfel_arena::{Interval, Loss, Regret};

/// The standard with which decisions were compared.
pub(super) enum Reference<'a> {
    /// Exact values of positions with this many pieces.
    Exact {
        /// Pieces on the board.
        pieces: u32,
    },
    /// The values of another agent in whole games.
    Analyser(&'a Spec),
}

/// The losses of an agent's decisions.
pub(super) struct RegretReport<'a> {
    pub agent: &'a Spec,
    pub game: &'static str,
    pub reference: Reference<'a>,
    pub regret: &'a Regret,
    pub seconds: f64,
}

impl RegretReport<'_> {
    fn optimal(&self) -> f64 {
        self.regret.optimal as f64 / self.regret.decisions.max(1) as f64
    }

    fn interval(&self) -> Interval {
        match self.reference {
            // Against perfect play no decision can lose less than nothing.
            Reference::Exact { .. } => self.regret.interval(),
            Reference::Analyser(_) => self.regret.signed_interval(),
        }
    }

    pub fn json(&self) -> Value {
        let loss = |loss: &Loss| {
            json!({
                "position": loss.situation,
                "move": loss.made,
                "best": loss.best,
                "lost": loss.lost,
            })
        };
        let mut found = json!({
            "agent": self.agent.to_string(),
            "game": self.game,
            "decisions": self.regret.decisions,
            "regret": self.regret.mean(),
            "interval": self.interval(),
            "optimal": self.optimal(),
            "worst": self.regret.worst.iter().map(loss).collect::<Vec<_>>(),
            "seconds": self.seconds,
        });
        match self.reference {
            Reference::Exact { pieces } => found["pieces"] = pieces.into(),
            Reference::Analyser(analyser) => found["analyser"] = analyser.to_string().into(),
        }
        found
    }

    pub fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let (agent, decisions) = (self.agent, self.regret.decisions);
        match self.reference {
            Reference::Exact { pieces } => {
                writeln!(out, "{agent}: {decisions} decisions, {pieces} pieces")?;
            }
            Reference::Analyser(analyser) => {
                writeln!(out, "{agent}: {decisions} turns of whole games by {analyser}")?;
            }
        }
        let (mean, Interval { low, high }) = (self.regret.mean(), self.interval());
        writeln!(out, "regret   {mean:.6} ({low:.6} to {high:.6})")?;
        writeln!(out, "optimal  {:.2} %", 100.0 * self.optimal())?;
        for Loss { situation, made, best, lost } in &self.regret.worst {
            writeln!(out, "{lost:.4} lost with {made}, best {best}: {situation}")?;
        }
        Ok(())
    }
}
