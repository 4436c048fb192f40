//! `wurfel train network check`: trials that are worth making before a long run.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use wurfel::game;
use wurfel_train::network::{Check, CheckSettings, RateTried};

use super::train_config::read_config;
use crate::bounds::whole;
use crate::json::write_json;
use crate::options::Jobs;
use crate::progress::waiting;
use crate::{Done, stop};

/// Tries a configuration: overfits one batch, and sweeps the learning rate
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel train network check configs/einstein-tiny.toml\n\n\
    Exit code 1 says that the network could not overfit the batch.")]
pub struct CheckCommand {
    /// The configuration, such as configs/einstein-tiny.toml
    config: PathBuf,
    /// Steps on the same batch
    #[arg(long, default_value_t = 200, value_parser = whole::<u32>(2..=1_000_000))]
    steps: u32,
    /// Steps with each learning rate
    #[arg(long, default_value_t = 60, value_parser = whole::<u32>(1..=1_000_000))]
    sweep: u32,
    /// Games of the first round to play for it
    #[arg(long, default_value_t = 200, value_parser = whole::<u64>(1..=1_000_000))]
    games: u64,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    jobs: Jobs,
}

impl CheckCommand {
    /// Tries the configuration and writes the results.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let config = read_config(&self.config)?;

        let learning = game(&config.game)?.learning();
        let CheckCommand { steps, sweep, games, json, jobs, .. } = self;
        let settings = CheckSettings { steps, sweep_steps: sweep, games };
        let stop = stop::on_ctrl_c();
        let waiting = waiting("trying the configuration", false);
        let tried = stop::working(|| learning.check(&config, settings, jobs.count(), Some(stop)))?;
        drop(waiting);
        let Some(tried) = tried else {
            writeln!(io::stderr(), "stopped before there was a result")?;
            return Ok(Done::Stopped);
        };
        if json {
            write_json(&tried, out)?;
        } else {
            write_report(&tried, out)?;
        }
        Ok(if tried.overfit.passed { Done::All } else { Done::Failed })
    }
}

/// Writes the results as text.
fn write_report(tried: &Check, out: &mut dyn Write) -> io::Result<()> {
    let Check { positions, overfit, rates } = tried;
    writeln!(out, "{positions} positions of the first round\n")?;
    writeln!(
        out,
        "overfitting one batch of {}, learning rate {}; policy loss at least {:.4}",
        overfit.batch, overfit.learning_rate, overfit.floor
    )?;
    writeln!(out, "   step  policy   value")?;
    for loss in &overfit.losses {
        writeln!(out, "{:7} {:7.4} {:7.4}", loss.step, loss.policy_loss, loss.value_loss)?;
    }
    let verdict = if overfit.passed { "learned" } else { "NOT learned" };
    writeln!(out, "{verdict}: {:.1} % of what can be learned is left\n", 100.0 * overfit.left)?;
    writeln!(out, "learning rate    loss  on games that were not learned from")?;
    let least = rates.iter().filter_map(RateTried::unseen).fold(f64::MAX, f64::min);
    for tried in rates {
        let unseen = tried.unseen();
        let configured = tried.learning_rate.total_cmp(&overfit.learning_rate).is_eq();
        let marks = [
            if unseen == Some(least) { "  the least" } else { "" },
            if configured { "  as configured" } else { "" },
        ]
        .concat();
        // A learning rate may diverge, and with few games none is held out.
        let [loss, unseen] = [tried.loss, unseen]
            .map(|loss| loss.map_or("-".to_owned(), |loss| format!("{loss:.4}")));
        writeln!(out, "{:13} {loss:>7}  {unseen}{marks}", tried.learning_rate)?;
    }
    Ok(())
}
