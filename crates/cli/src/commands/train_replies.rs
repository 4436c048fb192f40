//! `wurfel train replies`: fits the preference by which `selective` picks replies.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::{Context, ensure};
use clap::Args;
use wurfel_agents::{Catalogued, Spec, build, read_weights};
use wurfel_core::{EndPreference, Evaluator};
use wurfel_games::learned::Learned;
use wurfel_games::shared_evaluation;
use wurfel_search::Filter;
use wurfel_train::{MEASURED, Picked, RepliesFit, fit_replies, measure_replies};

use crate::bounds::{seed, whole};
use crate::game_command::GameCommand;
use crate::new_file::new_file;
use crate::work::{Jobs, bar};
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
    /// The file of the learned evaluation that says how good the ends of turns are (that of the game
    /// if left out)
    #[arg(long)]
    weights: Option<String>,
    /// The seed for the games
    #[arg(long, default_value_t = 1, value_parser = seed)]
    seed: u64,
    #[command(flatten)]
    jobs: Jobs,
}

impl GameCommand for Replies {
    fn game(&self) -> &str {
        &self.game
    }

    fn run_for<G: Catalogued>(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        ensure!(
            G::END_FEATURES > 0,
            "--game {}: expected a game whose turns have several moves, such as dicechess3 (see `wurfel games`)",
            G::NAME
        );
        let Self { rolls, weights, seed, jobs, .. } = self;
        let (mut options, mut evaluator) = (vec![], shared_evaluation::<G>(G::BEST_EVALUATION)?);
        if let Some(path) = weights {
            let read = read_weights::<G>(&path).with_context(|| format!("--weights '{path}'"))?;
            evaluator = Arc::new(Learned::new(G::Base::default(), &read)) as Arc<dyn Evaluator<G>>;
            options.push(("weights".to_owned(), path));
        }
        let searcher = build::<G>(&Spec { name: "selective".to_owned(), options })?;
        let mut file = new_file(self.out)?;
        let (stop, jobs) = (stop::on_ctrl_c(), jobs.count());
        let bar = bar(rolls, "rolls", false);
        let mut done = 0;
        let fitted = stop::working(|| {
            fit_replies(RepliesFit { rolls, seed }, &searcher, &evaluator, jobs, |learned| {
                done = learned;
                bar.set_position(learned);
                !stop.load(Ordering::Relaxed)
            })
        });
        bar.finish_and_clear();
        file.write(&fitted.to_bytes())?;
        file.finish()?;
        let preference = G::replies(&fitted).context("the game takes its own features")?;
        let first = shared_evaluation::<G>(G::EVALUATIONS[0].name)?;
        let both: [&dyn EndPreference<G>; 2] = [&*preference, &first];
        let replies = Filter::default().replies;
        let picked =
            measure_replies(both, replies, seed.wrapping_add(1), &searcher, &evaluator, jobs);
        writeln!(out, "{done} rolls; {replies} picked of the ends of {MEASURED} others:")?;
        for (name, Picked { best, lost }) in ["fitted", G::EVALUATIONS[0].name].iter().zip(picked) {
            writeln!(out, "{name}: the best one in {:.1} %, {lost:.4} lost", 100.0 * best)?;
        }
        if done < rolls {
            let out = &mut io::stderr();
            writeln!(out, "stopped after {done} of {rolls} rolls; the file has the result so far")?;
            return Ok(Done::Stopped);
        }
        Ok(Done::All)
    }
}
