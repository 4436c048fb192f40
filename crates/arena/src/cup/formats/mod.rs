//! Who meets whom, a file for each format.

pub(super) mod all;
pub(crate) mod ccgc;
pub(super) mod knockout;
mod matching;
pub(super) mod swiss;

#[cfg(test)]
pub(in super::super) mod testkit;
