//! Fixed work whose instructions `cargo xtask counts` counts: a change that makes one of these kernels slower shows in
//! the count even on a machine that is busy, where no clock can be trusted.
//!
//! `wurfel-counts NAME` prepares a kernel and does its work once, inside a function that nothing else calls; what is
//! counted is that function alone. All code is the portable code, since counts must not depend on the machine.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

mod games;
mod kernels;

use std::hint::black_box;
use std::process::ExitCode;

use kernels::KERNELS;

/// What is counted: `cargo xtask counts` knows this function by its name.
#[inline(never)]
fn counted_kernel(work: &mut dyn FnMut()) {
    work();
    // Something after the call, so that it is not a tail call.
    black_box(());
}

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        for (name, _) in KERNELS {
            println!("{name}");
        }
        return ExitCode::SUCCESS;
    }
    for name in names {
        let Some((_, prepare)) = KERNELS.iter().find(|(known, _)| *known == name) else {
            eprintln!("unknown kernel '{name}': without a name all are listed");
            return ExitCode::from(2);
        };
        counted_kernel(&mut *prepare());
    }
    ExitCode::SUCCESS
}
