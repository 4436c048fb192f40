//! `wurfel completions` and `wurfel man`: descriptions of the program for shells and for the
//! manual.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;

use crate::Done;

/// Prints the completions of a shell, for a file that the shell reads
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    wurfel completions bash > wurfel.bash\n  \
    wurfel completions zsh > _wurfel\n\n\
    Shells look for such files in ~/.local/share/bash-completion/completions, in the folders of\n\
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
    /// The folder, which is made if it is not there
    folder: PathBuf,
}

impl Completions {
    /// Runs the command.
    pub fn run(self, mut program: Command, out: &mut dyn Write) -> anyhow::Result<Done> {
        // The text is first written into memory, because the generator does not report errors of a
        // pipe.
        let mut text = vec![];
        clap_complete::generate(self.shell, &mut program, "wurfel", &mut text);
        out.write_all(&text)?;
        Ok(Done::All)
    }
}

impl Manual {
    /// Runs the command.
    pub fn run(self, program: Command) -> anyhow::Result<Done> {
        let folder = &self.folder;
        fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(program, folder))
            .with_context(|| format!("'{}'", folder.display()))?;
        Ok(Done::All)
    }
}
