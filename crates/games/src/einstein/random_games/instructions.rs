//! The instructions with which games in lanes are played: the widest that the CPU has, detected
//! when the program runs. All of them play the same games.
//!
//! The source is the same for all of them; only the instructions that the compiler may use differ.
//! Calling a function that was compiled for more instructions than the program as a whole is the
//! only unsafe thing in this crate. It is sound because a value of [`RandomGameInstructions`] exists only on
//! a CPU that has reported the instructions that the value names.

use std::fmt;

use super::lanes::{Board, LANES, Lane, play};
use crate::einstein::rolls::RuleSet;

/// Instructions that random games can be played with. A value exists only if this CPU has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomGameInstructions(Set);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl RandomGameInstructions {
    /// The instructions that every CPU has; with them, one game is played after another.
    pub const SCALAR: Self = Self(Set::Scalar);

    /// All instructions of this kind that this CPU has, the slowest first.
    pub fn available() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut, reason = "nothing is added"))]
        let mut list = vec![Self::SCALAR];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                list.push(Self(Set::Avx2));
            }
            if is_x86_feature_detected!("avx512f") {
                list.push(Self(Set::Avx512));
            }
        }
        list
    }

    /// The fastest instructions that this CPU has.
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                return Self(Set::Avx512);
            }
            if is_x86_feature_detected!("avx2") {
                return Self(Set::Avx2);
            }
        }
        Self::SCALAR
    }

    #[cfg_attr(target_arch = "x86_64", allow(unsafe_code, reason = "see the top of the file"))]
    pub(super) fn play<R: RuleSet>(self, start: Board, lanes: &mut [Lane; LANES]) {
        match self.0 {
            Set::Scalar => play::<R, 1>(start, lanes),
            // SAFETY: a value of this variant is made only after the CPU has reported AVX2.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { play_avx2::<R>(start, lanes) },
            // SAFETY: a value of this variant is made only after the CPU has reported AVX-512F.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { play_avx512::<R>(start, lanes) },
        }
    }
}

impl fmt::Display for RandomGameInstructions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Set::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "avx512",
        })
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn play_avx2<R: RuleSet>(start: Board, lanes: &mut [Lane; LANES]) {
    play::<R, 16>(start, lanes);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn play_avx512<R: RuleSet>(start: Board, lanes: &mut [Lane; LANES]) {
    play::<R, 32>(start, lanes);
}
