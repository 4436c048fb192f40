//! `wurfel train`: learns evaluations and networks.

use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, anyhow, ensure};
use clap::{Args, Subcommand};
use wurfel::{FitError, LabelSource, game};
use wurfel_arena::OutputError;
use wurfel_train::{Epoch, Fit, Labels, PositionsFile, QSettings};

use super::network::read_model;
use super::train_mlp::FitMlp;
use super::train_network::TrainNetwork;
use super::train_quantise::Quantise;
use super::train_replies::Replies;
use super::train_status::Status;
use crate::Done;
use crate::bounds::{decimal, seed, whole};
use crate::new_file::{new_file, write_new};
use crate::options::Jobs;
use crate::progress::bar;
use crate::stop::{self, HAS_RESULT, RESUMES};

/// Learns evaluations from searched positions, and networks from self-play
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel train positions first.tsv --games 20000\n  \
    wurfel train fit first.tsv --out first.weights\n  \
    wurfel match star2:weights=first.weights star2:eval=zweistein --time 5ms --pairs 100")]
pub struct Train {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand, Debug)]
enum Step {
    Positions(Positions),
    Fit(Fitting),
    Network(TrainNetwork),
    Status(Status),
    Onnx(Onnx),
    Quantise(Quantise),
    Values(Values),
    Mlp(FitMlp),
    Replies(Replies),
}

/// Exports a network as ONNX, for other programs
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel train onnx run/net.safetensors --out net.onnx")]
struct Onnx {
    /// The network, a file that `wurfel train network` has written
    net: PathBuf,
    /// The file to write
    #[arg(long)]
    out: PathBuf,
}

/// Learns a value for each feature of a position by Q-learning in self-play
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel train values --out first.values --games 20000")]
struct Values {
    /// The file to write
    #[arg(long)]
    out: PathBuf,
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    /// Number of games
    #[arg(long, default_value_t = 20_000, value_parser = whole::<u64>(1..=1 << 40))]
    games: u64,
    /// The learning rate of the first games, 0 to 1; it falls to a tenth
    #[arg(long, default_value_t = 0.1, value_parser = decimal::<f32>(0.0..=1.0))]
    learning_rate: f32,
    /// The discount: how much the value of the next turn counts, 0 to 1
    #[arg(long, default_value_t = 0.99, value_parser = decimal::<f32>(0.0..=1.0))]
    discount: f32,
    /// The seed for the games
    #[arg(long, default_value_t = 1, value_parser = seed)]
    seed: u64,
}

/// Plays games with deliberate mistakes and labels positions by a search: every fourth position,
/// or all of them if --lambda is not 0
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel train positions first.tsv --games 20000")]
struct Positions {
    /// The file to write; the same command resumes work that was stopped
    out: PathBuf,
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    /// Number of games; a game of EWN gives about five positions
    #[arg(long, default_value_t = 20_000, value_parser = whole::<u64>(1..=1 << 40))]
    games: u64,
    /// Turns that the search looks ahead
    #[arg(long, default_value_t = 4, value_parser = whole::<u32>(1..=64))]
    depth: u32,
    /// The evaluation at the leaves of the search (see `wurfel agents`; the game's first one if left
    /// out: zweistein, linear)
    #[arg(long)]
    eval: Option<String>,
    /// Use the learned evaluation in this file at the leaves instead
    #[arg(long, conflicts_with = "eval")]
    weights: Option<String>,
    /// Use this file, written by `wurfel train values`, at the leaves instead
    #[arg(long, conflicts_with_all = ["eval", "weights"])]
    values: Option<String>,
    /// The λ of TD(λ), 0 to 1: how much the searches of later turns count for a position, with the
    /// luck of the dice taken off
    #[arg(long, default_value_t = 0.0, value_parser = decimal::<f32>(0.0..=1.0))]
    lambda: f32,
    /// With --lambda, the number of rolls that are sampled for a value (by default all; with
    /// --without-wins one)
    #[arg(long, default_value_t = 0, hide_default_value = true,
        value_parser = whole::<u32>(0..=u32::MAX.into()))]
    rolls: u32,
    /// With --without-wins, label with the mean over all rolls instead of a sample, so that no value
    /// has luck in it
    #[arg(long, requires = "without_wins", conflicts_with = "rolls")]
    all_rolls: bool,
    /// Roll only what does not win at once, and label with the exact chance of winning at once: for
    /// games that end by luck
    #[arg(long)]
    without_wins: bool,
    /// With --without-wins, how many good alternatives of each turn are labelled as well
    #[arg(long, default_value_t = 0, requires = "without_wins", hide_default_value = true,
        value_parser = whole::<u32>(0..=100))]
    alternatives: u32,
    /// The seed for the games
    #[arg(long, default_value_t = 1, value_parser = seed)]
    seed: u64,
    #[command(flatten)]
    jobs: Jobs,
}

/// Fits the parameters of a learned evaluation to labelled positions
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel train fit first.tsv --out first.weights")]
struct Fitting {
    /// The files of positions that `wurfel train positions` has written
    #[arg(required = true)]
    positions: Vec<PathBuf>,
    /// The file to write
    #[arg(long)]
    out: PathBuf,
    /// The game (see `wurfel games`)
    #[arg(long, default_value = "einstein")]
    game: String,
    /// The file with the parameters to start from (default: random ones)
    #[arg(long)]
    from: Option<String>,
    /// Number of epochs: passes over the whole training set
    #[arg(long, default_value_t = 40, value_parser = whole::<u32>(1..=100_000))]
    epochs: u32,
    /// Batch size: the number of positions for each step
    #[arg(long, default_value_t = 4096, value_parser = whole::<u32>(1..=1 << 24))]
    batch: u32,
    /// The learning rate of the first steps; it falls towards the end
    #[arg(long, default_value_t = 0.004, value_parser = decimal::<f32>(1e-6..=1.0))]
    learning_rate: f32,
    /// The seed for the first parameters and the order of positions
    #[arg(long, default_value_t = 1, value_parser = seed)]
    seed: u64,
}

impl Train {
    /// Runs the subcommand.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        match self.step {
            Step::Positions(command) => command.run(out),
            Step::Fit(command) => command.run(out),
            Step::Status(command) => command.run(out),
            Step::Onnx(command) => command.run(),
            Step::Quantise(command) => command.run(out),
            Step::Mlp(command) => command.run(out),
            Step::Replies(command) => command.run(out),
            Step::Values(command) => command.run(out),
            Step::Network(command) => command.run(out),
        }
    }
}

impl Onnx {
    fn run(self) -> anyhow::Result<Done> {
        write_new(self.out, &read_model(&self.net)?.to_onnx())?;
        Ok(Done::All)
    }
}

impl Positions {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Positions { games, lambda, rolls, without_wins, .. } = self;
        ensure!(
            rolls == 0 || lambda > 0.0 || without_wins,
            "--rolls {rolls}: expected --lambda or --without-wins beside it"
        );
        let (source, option) = match (self.weights, self.values) {
            (Some(path), _) => (LabelSource::Weights(path), "--weights "),
            (None, Some(path)) => (LabelSource::Values(path), "--values "),
            (None, None) => (LabelSource::Evaluation(self.eval.unwrap_or_default()), ""),
        };
        let labeller = game(&self.game)?.learning().labeller(&source);
        let labeller = labeller.map_err(|error| anyhow!("{option}{error}"))?;
        let labels = Labels {
            depth: self.depth,
            seed: self.seed,
            lambda,
            rolls,
            all_rolls: self.all_rolls,
            without_wins,
            alternatives: self.alternatives,
        };
        let (mut file, first) = PositionsFile::open(&self.out, &labeller.header(games, labels))?;
        let bar = bar(games, "games", false);
        let (mut next, mut made) = (first, 0);
        let mut failed: Option<OutputError> = None;
        let started = Instant::now();
        stop::working(|| {
            labeller.label(first..games, labels, self.jobs.count(), &mut |game, lines, count| {
                failed = file.add(lines).err();
                made += count;
                next = game + 1;
                bar.set_position(next);
                failed.is_none() && !stop::is_wanted()
            });
        });
        bar.finish_and_clear();
        if let Some(error) = failed {
            return Err(error.into());
        }
        if next < games {
            file.suspend()?;
            return stop::after(next, games, "games", RESUMES);
        }
        file.finish()?;
        let seconds = started.elapsed().as_secs_f64();
        writeln!(out, "{made} positions from {} games, {seconds:.0} s", games - first)?;
        Ok(Done::All)
    }
}

impl Fitting {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Fitting { positions, epochs, batch, learning_rate, seed, .. } = self;
        let settings = Fit { epochs, batch: batch as usize, learning_rate, seed };
        let (mut file, mut epochs_done) = (None, 0);
        let out = RefCell::new(out);
        // The positions are read before a file is begun.
        let mut begin = |count: usize| {
            let begun = new_file(self.out.clone()).and_then(|file| {
                Ok(writeln!(out.borrow_mut(), "{count} positions").map(|()| file)?)
            });
            file.insert(begun).is_ok()
        };
        let mut failed = None;
        let mut see = |epoch: Epoch| {
            let Epoch { number, training, validation, base } = epoch;
            epochs_done = number;
            let mut out = out.borrow_mut();
            failed = writeln!(
                out,
                "epoch {number}: root mean squared error {training:.4}, on validation positions \
                 {validation:.4} (base {base:.4})"
            )
            .and_then(|()| out.flush())
            .err();
            failed.is_none() && !stop::is_wanted()
        };
        let learning = game(&self.game)?.learning();
        let from = self.from.as_deref();
        let weights =
            stop::working(|| learning.fit(&positions, settings, from, &mut begin, &mut see));
        let mut file = file.transpose()?;
        let weights = weights.map_err(|error| match error {
            FitError::File { .. } => anyhow!("--from {error}"),
            error => error.into(),
        })?;
        if let Some(error) = failed {
            return Err(error.into());
        }
        let mut file = file.take().context("nothing was fitted")?;
        file.write(&weights)?;
        file.finish()?;
        if epochs_done < epochs {
            return stop::after(epochs_done, epochs.into(), "epochs", HAS_RESULT);
        }
        Ok(Done::All)
    }
}

impl Values {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let Values { games, learning_rate: rate, discount, seed, .. } = self;
        let learning = game(&self.game)?.learning();
        let mut file = new_file(self.out)?;
        let bar = bar(games, "games", false);
        let (mut done, mut last) = (0, 0.0);
        let values = stop::working(|| {
            learning.values(QSettings { games, rate, discount, seed }, &mut |game, step| {
                (done, last) = (game, 0.99 * last + 0.01 * step);
                bar.set_position(game);
                !stop::is_wanted()
            })
        });
        bar.finish_and_clear();
        file.write(&values)?;
        file.finish()?;
        writeln!(out, "{done} games, root mean squared error {last:.3} at the end")?;
        if done < games {
            return stop::after(done, games, "games", HAS_RESULT);
        }
        Ok(Done::All)
    }
}
