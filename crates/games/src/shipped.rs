//! Files of parameters and puzzles that ship with the program.
//!
//! They are embedded in programs. The engine in a web page would be four times as large with them, and most
//! visitors need one or two; so there they are files beside the module, which the page loads when an agent needs
//! them and passes to [`ShippedFile::provide`]. The price is that an agent can lack its file: code that builds one
//! checks [`ShippedFile::bytes`] first. The feature `embedded` embeds them there as well.

use std::sync::{PoisonError, RwLock};

use wurfel_core::checksum;

/// A file of parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShippedFile {
    /// The unique name of the file in `nets/`.
    pub name: &'static str,
    /// The checksum of the file for which this program was written.
    pub checksum: u64,
    /// The file, where it is embedded.
    pub embedded: Option<&'static [u8]>,
}

/// The files passed to [`ShippedFile::provide`], by their names, for as long as the program runs.
static PROVIDED: RwLock<Vec<(&str, &[u8])>> = RwLock::new(vec![]);

impl ShippedFile {
    /// The file; `None` where it is neither embedded nor provided.
    pub fn bytes(&self) -> Option<&'static [u8]> {
        self.embedded.or_else(|| {
            let provided = PROVIDED.read().unwrap_or_else(PoisonError::into_inner);
            provided.iter().find(|(name, _)| *name == self.name).map(|(_, bytes)| *bytes)
        })
    }

    /// The file.
    ///
    /// # Panics
    /// When it is missing: see [`bytes`](Self::bytes).
    pub(crate) fn known_bytes(&self) -> &'static [u8] {
        self.bytes().unwrap_or_else(|| panic!("{} was handed over before", self.name))
    }

    /// Takes the file; returns whether it has the expected checksum.
    pub fn provide(&self, bytes: Vec<u8>) -> bool {
        let is_right = checksum(&bytes) == self.checksum;
        if is_right && self.bytes().is_none() {
            let mut provided = PROVIDED.write().unwrap_or_else(PoisonError::into_inner);
            provided.push((self.name, bytes.leak()));
        }
        is_right
    }
}

/// The file of `nets/` with this name and checksum.
macro_rules! shipped {
    ($name:literal, $checksum:literal) => {
        $crate::shipped::ShippedFile {
            name: $name,
            checksum: $checksum,
            #[cfg(any(not(target_family = "wasm"), feature = "embedded"))]
            embedded: Some(include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/nets/", $name))),
            #[cfg(all(target_family = "wasm", not(feature = "embedded")))]
            embedded: None,
        }
    };
}
pub(crate) use shipped;
