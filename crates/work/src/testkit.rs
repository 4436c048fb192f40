//! What fuzz targets need (feature `testkit`): plans without the searches of `wurfel bench`.
//!
//! Nothing here is part of the library: it may change with any version.

use wurfel_arena::Signatures;

use crate::plan::NOT_SEARCHED;

/// Plans, and units of them, are from now on made without the searches that show which version of
/// the program this is: they take seconds, and a fuzz target has only one version. Nothing changes
/// if they were made before.
pub fn skip_searches() {
    let _ = NOT_SEARCHED.set(Signatures { text: "not searched".to_owned(), speed: 1e6 });
}
