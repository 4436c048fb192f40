//! `wurfel completions` and `wurfel man`: descriptions of the program for shells and for the
//! manual.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, CommandFactory, ValueHint};
use clap_complete::Shell;
use wurfel::{Game, all_games};
use wurfel_agents::agents;

use crate::{Cli, Done};

/// Prints the completion script of a shell
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    wurfel completions bash > wurfel.bash\n  \
    wurfel completions zsh > _wurfel\n\n\
    Shells look for such scripts in ~/.local/share/bash-completion/completions, in the folders of\n\
    zsh's fpath, or in ~/.config/fish/completions.")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Writes the pages of the manual into a folder, one for each command
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wurfel man man1\n\n\
    `man` finds pages in ~/.local/share/man/man1, for instance.")]
pub struct Manual {
    /// The folder, which is created if it does not exist
    folder: PathBuf,
}

impl Completions {
    /// Runs the command.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let mut program = with_names(Cli::command());
        // The text is first written into memory, because the generator does not report errors of a
        // pipe.
        let mut text = vec![];
        clap_complete::generate(self.shell, &mut program, "wurfel", &mut text);
        out.write_all(&text)?;
        Ok(Done::All)
    }
}

/// The program with the games and agents as possible values of its arguments. All other arguments are
/// declared to be file names, because the script for bash would otherwise split such names at spaces.
/// Only completions use this: the commands themselves also take specs with options, and have clearer
/// errors for them.
fn with_names(program: Command) -> Command {
    const AGENTS: [&str; 6] = ["agent", "analyser", "first_agent", "second_agent", "one", "other"];
    let describes_agents = program.get_name() == "agents";
    let names = |arg: Arg| {
        let id = arg.get_id().as_str();
        if arg.get_long() == Some("game") {
            arg.value_parser(PossibleValuesParser::new(all_games().map(Game::name)))
        } else if AGENTS.contains(&id) || describes_agents && id == "name" {
            arg.value_parser(PossibleValuesParser::new(agents().map(|agent| agent.name)))
        } else if matches!(arg.get_value_hint(), ValueHint::AnyPath | ValueHint::Unknown)
            && arg.get_action().takes_values()
            && arg.get_possible_values().is_empty()
        {
            arg.value_hint(ValueHint::FilePath)
        } else {
            arg
        }
    };
    program.mut_args(names).mut_subcommands(with_names)
}

impl Manual {
    /// Runs the command.
    pub fn run(self, _: &mut dyn Write) -> anyhow::Result<Done> {
        let folder = &self.folder;
        fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
            .with_context(|| format!("'{}'", folder.display()))?;
        Ok(Done::All)
    }
}
