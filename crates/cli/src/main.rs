//! The program `wurfel`, with the games that come with it.

use std::process::ExitCode;

fn main() -> ExitCode {
    wurfel_cli::run([])
}
