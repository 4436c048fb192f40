//! The output of `wurfel rollout --moves` about the moves of a turn.

use std::io::{self, Write};

use indicatif::HumanCount;
use serde::Serialize;
use wurfel_arena::{ComparedMove, ComparisonReport, Decimal, PairedDifference};

use super::settings::RolloutSettings;
use crate::batch::Answer;
use crate::figures::shown_error;

/// The result of a comparison of moves, with a picture of the position.
#[derive(Serialize)]
pub struct MoveComparison {
    #[serde(flatten)]
    pub report: ComparisonReport,
    #[serde(flatten)]
    pub settings: RolloutSettings,
    /// The board of the position.
    #[serde(skip)]
    pub picture: String,
}

impl Answer for MoveComparison {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { report, settings, picture } = self;
        writeln!(out, "{picture}")?;
        let widest = report.moves.iter().map(|of| of.mv.chars().count()).max().unwrap_or(0).max(4);
        let heads = ["value", "error", "behind", "error", "games"];
        let [value, error, behind, its_error, games] = heads;
        writeln!(
            out,
            "{:widest$}  {value:>8}  {error:>6}  {behind:>8}  {its_error:>6}  {games:>9}",
            "move"
        )?;
        for ComparedMove { mv, value, standard_error, behind, games, dropped, .. } in &report.moves
        {
            let (value, error) = (Decimal(100.0 * value), shown_error(*standard_error));
            write!(out, "{mv:widest$}  {value:>6.2} %  {error:>6}")?;
            match behind {
                Some(PairedDifference { value, standard_error }) => {
                    let (value, error) = (Decimal(100.0 * value), shown_error(*standard_error));
                    write!(out, "  {value:>6.2} %  {error:>6}")?;
                }
                None => write!(out, "  {:>8}  {:>6}", "best", "")?,
            }
            let dropped = if *dropped { "  dropped" } else { "" };
            writeln!(out, "  {:>9}{dropped}", HumanCount(*games).to_string())?;
        }
        let (games, seconds, rate) = (HumanCount(report.games), report.seconds, report.error_rate);
        writeln!(
            out,
            "{}: {games} games in all, {seconds:.2} s; the probability that the best move was \
             dropped is at most {rate}",
            report.agent
        )?;
        writeln!(out, "{settings}; behind: by the games on common dice")?;
        match report.faults {
            0 => Ok(()),
            faults => writeln!(out, "{faults} games were lost by crash, illegal move or time"),
        }
    }
}
