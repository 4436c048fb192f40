//! The output of `wurfel regret` about an agent as text.

use std::io::{self, Write};

use wurfel_arena::{LossReport, RegretReference, RegretReport};

/// Writes the losses of an agent's decisions.
pub(super) fn write_regret(report: &RegretReport, out: &mut dyn Write) -> io::Result<()> {
    let RegretReport { agent, decisions, regret, interval: [low, high], .. } = report;
    match &report.reference {
        RegretReference::Pieces(pieces) => {
            writeln!(out, "{agent}: {decisions} decisions, {pieces} pieces")?;
        }
        RegretReference::Analyser(analyser) => {
            writeln!(out, "{agent}: {decisions} turns of whole games by {analyser}")?;
        }
    }
    writeln!(out, "regret   {regret:.6} ({low:.6} to {high:.6})")?;
    writeln!(out, "optimal  {:.2} %", 100.0 * report.optimal)?;
    for LossReport { position, r#move, best, lost } in &report.worst {
        writeln!(out, "{lost:.4} lost with {move}, best {best}: {position}")?;
    }
    Ok(())
}
