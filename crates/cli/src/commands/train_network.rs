//! `wurfel train network`: trains a network; its subcommands check a configuration before a run and
//! measure the networks of a run.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};
use wurfel::game;
use wurfel_train::network::{Device, Devices, Round, TrainingConfig};

use super::train_check::CheckCommand;
use super::train_config::read_config;
use super::train_curve::CurveCommand;
use super::train_status::strength_text;
use crate::options::Jobs;
use crate::progress::bar;
use crate::{Done, stop};

/// Trains a policy-value network by self-play
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Example:\n  wurfel train network configs/einstein-tiny.toml --out run"
)]
pub struct TrainNetwork {
    #[command(subcommand)]
    step: Option<Step>,
    /// The configuration, such as configs/einstein-tiny.toml
    #[arg(required = true)]
    config: Option<PathBuf>,
    /// The folder of the run; the same command resumes a run that was stopped
    #[arg(long, required = true)]
    out: Option<PathBuf>,
    /// Where the network learns; a run may change from one to the other
    #[arg(long, value_enum, default_value_t = Where::Cpu)]
    learner: Where,
    /// Where the network is evaluated during self-play; a run may change from one to the other
    #[arg(long, value_enum, default_value_t = Where::Cpu)]
    inference: Where,
    #[command(flatten)]
    jobs: Jobs,
}

#[derive(Subcommand, Debug)]
enum Step {
    Check(CheckCommand),
    Curve(CurveCommand),
}

/// The hardware that calculates.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Where {
    /// The CPU
    Cpu,
    /// A GPU, if the program was built with feature `gpu` or `cuda`
    Gpu,
}

impl TrainNetwork {
    /// Trains the network, or runs the subcommand.
    pub fn run(mut self, out: &mut dyn Write) -> anyhow::Result<Done> {
        match (self.step.take(), self.config.take(), self.out.take()) {
            (Some(Step::Check(command)), ..) => command.run(out),
            (Some(Step::Curve(command)), ..) => command.run(out),
            (None, Some(config), Some(folder)) => {
                let config = read_config(&config)?;
                self.learn(&folder, config, out)
            }
            _ => bail!("expected a configuration and --out"),
        }
    }

    fn learn(
        &self,
        folder: &Path,
        config: TrainingConfig,
        out: &mut dyn Write,
    ) -> anyhow::Result<Done> {
        let learning = game(&config.game)?.learning();
        let rounds = config.rounds;
        let device = |wanted| match wanted {
            Where::Cpu => Device::Cpu,
            Where::Gpu => Device::Gpu,
        };
        let devices = Devices { learner: device(self.learner), inference: device(self.inference) };
        let mut run = learning.run(config, folder, devices)?;
        let stop = stop::on_ctrl_c();
        let jobs = self.jobs.count();
        let bar = bar(rounds, "rounds", false);
        bar.set_position(run.done());
        while !run.is_over() {
            let before = run.history().last().map_or(0, |round| round.games);
            let Some(round) = stop::working(|| run.round(jobs, Some(stop)))? else {
                bar.finish_and_clear();
                return stop::after(run.done(), rounds, "rounds", stop::RESUMES);
            };
            bar.set_position(run.done());
            let games = round.games - before;
            bar.suspend(|| {
                writeln!(
                    out,
                    "round {}: {} games ({:.1} a second), {} positions, {}, {:.1} s",
                    round.round,
                    round.games,
                    games as f64 / round.game_seconds,
                    round.buffer,
                    learned(&round),
                    round.game_seconds + round.step_seconds
                )?;
                if let Some(strength) = &round.evaluation {
                    writeln!(out, "  {}", strength_text(strength))?;
                }
                out.flush()
            })?;
        }
        bar.finish_and_clear();
        if run.done() < rounds {
            writeln!(out, "no better network was found for too long: the run ends early")?;
        }
        if let Some(best) = run.best() {
            writeln!(out, "the best network: {}", best.display())?;
        }
        writeln!(out, "the network: {}", folder.join("net.safetensors").display())?;
        Ok(Done::All)
    }
}

/// What the steps of a round have done, in words.
fn learned(round: &Round) -> String {
    let (Some(policy), Some(value), Some(entropy)) =
        (round.policy_loss, round.value_loss, round.entropy)
    else {
        return "no step".to_owned();
    };
    let rate = round.learning_rate;
    format!("policy {policy:.4}, value {value:.4}, entropy {entropy:.4}, learning rate {rate:.5}")
}
