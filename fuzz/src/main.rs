//! Runs fuzz targets without cargo-fuzz and without a nightly compiler; `docs/fuzzing.md`.

use std::process::ExitCode;

fn main() -> ExitCode {
    wurfel_fuzz::command::main()
}
