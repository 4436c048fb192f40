//! `wurfel train mlp`: fits the evaluation `mlp` of Dice Chess to games.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;
use wurfel_agents::{Factory, Spec, build};
use wurfel_arena::{RecordedGame, read_games};
use wurfel_core::read_text;
use wurfel_games::dicechess::DiceChess;
use wurfel_train::{
    Fit, FittedPerceptron, MLP_FIT, PerceptronEpoch, TrainingExamples, fit_mlp, mlp_examples,
    mlp_examples_by,
};

use crate::bounds::{decimal, seed, whole};
use crate::json::write_json;
use crate::new_file::new_file;
use crate::progress::bar;
use crate::{Done, stop};

/// The number of epochs between two that are shown.
const SHOW_EVERY: u32 = 20;

/// Fits the evaluation `mlp` of Dice Chess to the results of games
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  wurfel match mcts mcts --game dicechess --pairs 100 --out mcts.jsonl\n  \
    wurfel train mlp mcts.jsonl --out mcts.weights --losses mcts.csv\n  \
    wurfel train mlp mcts.jsonl --out mcts.weights --labels mcts"
)]
pub struct FitMlp {
    /// The files of games of dicechess, in any form (see `wurfel convert`)
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The file to write
    #[arg(long)]
    out: PathBuf,
    /// The agent whose win probability of a turn is its label [default: the result of the game]
    #[arg(long, value_name = "AGENT")]
    labels: Option<String>,
    /// The file for the losses of all epochs: JSON if its name ends with .json, or else CSV
    /// [default: none]
    #[arg(long)]
    losses: Option<PathBuf>,
    /// Number of epochs: passes over the whole training set
    #[arg(long, default_value_t = MLP_FIT.epochs, value_parser = whole::<u32>(1..=100_000))]
    epochs: u32,
    /// Batch size: the number of turns for each step
    #[arg(long, default_value_t = MLP_FIT.batch as u32, value_parser = whole::<u32>(1..=1 << 24))]
    batch: u32,
    /// The learning rate, which stays the same
    #[arg(long, default_value_t = MLP_FIT.learning_rate, value_parser = decimal::<f32>(1e-6..=1.0))]
    learning_rate: f32,
    /// The seed for the first parameters and the order of turns
    #[arg(long, default_value_t = MLP_FIT.seed, value_parser = seed)]
    seed: u64,
}

impl FitMlp {
    /// Fits the network and writes its losses to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Self { epochs, batch, learning_rate, seed, .. } = self;
        let spec: Option<Spec> = self.labels.map(|text| text.parse()).transpose()?;
        let labeller = spec.map(|spec| build(&DiceChess::default(), &spec)).transpose()?;
        let mut games = vec![];
        for path in &self.games {
            let name = || format!("'{}'", path.display());
            let text = read_text(path).with_context(name)?;
            games.extend(read_games(&DiceChess::default(), &text).with_context(name)?);
        }
        let examples = match &labeller {
            None => mlp_examples(&games),
            Some(labeller) => match labelled(labeller, &games, seed) {
                Some(examples) => examples,
                None => return Ok(Done::Stopped),
            },
        };
        ensure!(
            !examples.training.is_empty(),
            "expected more than one game with a result, found {} without",
            games.len()
        );
        let mut file = new_file(self.out)?;
        let losses =
            self.losses.map(|path| Ok::<_, anyhow::Error>((new_file(path.clone())?, path)));
        let losses = losses.transpose()?;
        let (training, validation) = (examples.training.len(), examples.validation.len());
        writeln!(out, "{training} turns to learn from, {validation} for validation")?;
        let bar = bar(u64::from(epochs), "epochs", false);
        let mut wrong = None;
        let fit = Fit { epochs, batch: batch as usize, learning_rate, seed };
        let fitted = stop::working(|| {
            fit_mlp(&examples, fit, |epoch| {
                bar.set_position(u64::from(epoch.epoch));
                if epoch.epoch == 1 || epoch.epoch % SHOW_EVERY == 0 || epoch.epoch == epochs {
                    wrong = bar.suspend(|| write_epoch(out, epoch)).err();
                }
                wrong.is_none() && !stop::is_wanted()
            })
        });
        bar.finish_and_clear();
        if let Some(error) = wrong {
            return Err(error.into());
        }
        if let Some((mut losses, path)) = losses {
            losses.write(&table(&fitted, &path)?)?;
            losses.finish()?;
        }
        file.write(&fitted.network.to_bytes())?;
        file.finish()?;
        let done = fitted.epochs.len();
        if (done as u32) < epochs {
            return stop::after(done, epochs.into(), "epochs", stop::HAS_RESULT);
        }
        Ok(Done::All)
    }
}

/// The turns of games with the labels of an agent; `None` after Ctrl-C.
fn labelled(
    labeller: &Factory<DiceChess>,
    games: &[RecordedGame<DiceChess>],
    seed: u64,
) -> Option<TrainingExamples> {
    let turns = games.iter().map(|entry| entry.game.decisions().len() as u64).sum();
    let bar = bar(turns, "turns", false);
    let examples = stop::working(|| {
        mlp_examples_by(labeller, games, seed, |turn| {
            bar.set_position(turn);
            !stop::is_wanted()
        })
    });
    bar.finish_and_clear();
    examples
}

fn write_epoch(out: &mut dyn Write, epoch: PerceptronEpoch) -> io::Result<()> {
    let PerceptronEpoch { epoch, training_loss, validation_loss } = epoch;
    let validation = validation_loss.map_or_else(|| "none".into(), |loss| format!("{loss:.4}"));
    writeln!(out, "epoch {epoch}: mean squared error {training_loss:.4}, validation {validation}")?;
    out.flush()
}

/// The losses as a JSON list or as a table, depending on the name of the file.
fn table(fitted: &FittedPerceptron, path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut text = vec![];
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        write_json(&fitted.epochs, &mut text)?;
        return Ok(text);
    }
    writeln!(text, "epoch,training_loss,validation_loss")?;
    for &PerceptronEpoch { epoch, training_loss, validation_loss } in &fitted.epochs {
        let validation = validation_loss.map_or_else(String::new, |loss| loss.to_string());
        writeln!(text, "{epoch},{training_loss},{validation}")?;
    }
    Ok(text)
}
