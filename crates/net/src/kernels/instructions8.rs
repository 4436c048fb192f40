//! The sets of instructions that multiply bytes.

use std::fmt;

use super::Instructions;
use super::bytes::{ByteWork, PortableSums};
#[cfg(target_arch = "x86_64")]
use super::{Set, x86_bytes};

/// A set of the CPU's instructions for inference in eight bits. A value exists only if this CPU has
/// them. All sets give the same results bit by bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int8Instructions(ByteSet);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ByteSet {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    AvxVnni,
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
}

impl Int8Instructions {
    /// The instructions that every CPU has.
    pub const PORTABLE: Self = Self(ByteSet::Portable);

    /// All sets that this CPU has, the slowest first.
    pub fn available() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut, reason = "nothing is added"))]
        let mut list = vec![Self::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                list.push(Self(ByteSet::Avx2));
                if is_x86_feature_detected!("avxvnni") {
                    list.push(Self(ByteSet::AvxVnni));
                }
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni") {
                list.push(Self(ByteSet::Avx512Vnni));
            }
        }
        list
    }

    /// The fastest set that this CPU has.
    pub fn best() -> Self {
        Self::available().last().copied().unwrap_or(Self::PORTABLE)
    }

    /// The name of the set: `portable`, `avx2`, `avx-vnni` or `avx512-vnni`.
    pub const fn name(self) -> &'static str {
        match self.0 {
            ByteSet::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            ByteSet::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            ByteSet::AvxVnni => "avx-vnni",
            #[cfg(target_arch = "x86_64")]
            ByteSet::Avx512Vnni => "avx512-vnni",
        }
    }

    /// The instructions for floating-point numbers that come with this set.
    pub(crate) const fn floats(self) -> Instructions {
        match self.0 {
            ByteSet::Portable => Instructions::PORTABLE,
            #[cfg(target_arch = "x86_64")]
            ByteSet::Avx2 | ByteSet::AvxVnni => Instructions(Set::Avx2),
            #[cfg(target_arch = "x86_64")]
            ByteSet::Avx512Vnni => Instructions(Set::Avx512),
        }
    }

    /// Runs a kernel with these instructions.
    #[cfg_attr(target_arch = "x86_64", allow(unsafe_code, reason = "see x86.rs"))]
    pub(crate) fn run<W: ByteWork>(self, work: W) {
        match self.0 {
            ByteSet::Portable => work.run::<PortableSums>(),
            // SAFETY: a value of this variant is made only after the CPU has reported AVX2 and FMA.
            #[cfg(target_arch = "x86_64")]
            ByteSet::Avx2 => unsafe { x86_bytes::run_avx2(work) },
            // SAFETY: a value of this variant is made only after the CPU has reported AVX2, FMA and AVX-VNNI.
            #[cfg(target_arch = "x86_64")]
            ByteSet::AvxVnni => unsafe { x86_bytes::run_avx_vnni(work) },
            // SAFETY: a value of this variant is made only after the CPU has reported AVX-512F and AVX-512 VNNI.
            #[cfg(target_arch = "x86_64")]
            ByteSet::Avx512Vnni => unsafe { x86_bytes::run_avx512_vnni(work) },
        }
    }
}

impl fmt::Display for Int8Instructions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
