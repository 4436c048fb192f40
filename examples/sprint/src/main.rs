// src/main.rs
use std::process::ExitCode;

use sprint::Sprint;
use wurfel::Game;

fn main() -> ExitCode {
    wurfel_cli::run([Game::of::<Sprint>()])
}
