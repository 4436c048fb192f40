//! `cargo +nightly fuzz run resumed`; see docs/fuzzing.md.

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| wurfel_fuzz::run_named("resumed", data));

#[cfg(not(fuzzing))]
fn main() {}
