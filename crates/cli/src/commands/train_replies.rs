//! `wurfel train replies`: fits the preference by which `selective` picks replies.

use std::io::Write;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use wurfel::{FitError, game};
use wurfel_core::files::unfinished;
use wurfel_train::{MEASURED, Picked, RepliesFit};

use crate::bounds::{seed, whole};
use crate::new_file::new_file;
use crate::options::Jobs;
use crate::progress::bar;
use crate::{Done, stop};

/// Fits the quick preference that picks which replies `selective` evaluates
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel train replies --out first.replies --rolls 200000\n  \
    wurfel match selective:replies-file=first.replies selective --game dicechess3 --nodes 100000 --pairs 100")]
pub struct Replies {
    /// The file to write
    #[arg(long)]
    out: PathBuf,
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "dicechess3")]
    game: String,
    /// Number of rolls to learn from
    #[arg(long, default_value_t = 1_500_000, value_parser = whole::<u64>(1..=1 << 40))]
    rolls: u64,
    /// The file of the learned evaluation that says how good the ends of turns are [default:
    /// the game's own]
    #[arg(long)]
    weights: Option<String>,
    /// The seed for the games
    #[arg(long, default_value_t = 1, value_parser = seed)]
    seed: u64,
    #[command(flatten)]
    jobs: Jobs,
}

impl Replies {
    /// Fits the preference, writes it, and says how well it picks.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Self { rolls, weights, seed, jobs, .. } = self;
        let learning = game(&self.game)?.learning();
        let bar = bar(rolls, "rolls", false);
        let mut done = 0;
        let mut file = new_file(self.out.clone())?;
        let settings = RepliesFit { rolls, seed };
        let fitted = stop::working(|| {
            learning.replies(settings, weights.as_deref(), jobs.count(), &mut |learned| {
                done = learned;
                bar.set_position(learned);
                !stop::is_wanted()
            })
        });
        bar.finish_and_clear();
        if fitted.is_err() {
            // It would only take up space.
            let _ = std::fs::remove_file(unfinished(&self.out));
        }
        let fitted = fitted.map_err(|error| match error {
            FitError::NoReplies(_) => anyhow!("--game {error}"),
            FitError::File { .. } => anyhow!("--weights {error}"),
            error => error.into(),
        })?;
        file.write(&fitted.file)?;
        file.finish()?;
        let replies = fitted.replies;
        writeln!(out, "{done} rolls; {replies} picked of the ends of {MEASURED} others:")?;
        for (name, Picked { best, lost }) in fitted.picked {
            writeln!(out, "{name}: the best one in {:.1} %, {lost:.4} lost", 100.0 * best)?;
        }
        if done < rolls {
            return stop::after(done, rolls, "rolls", stop::HAS_RESULT);
        }
        Ok(Done::All)
    }
}
