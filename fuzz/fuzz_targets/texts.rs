//! `cargo +nightly fuzz run texts`; see docs/fuzzing.md.

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| wurfel_fuzz::run_named("texts", data));

#[cfg(not(fuzzing))]
fn main() {}
