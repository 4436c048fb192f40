//! What fuzz targets need (feature `testkit`): plans without the searches of `wurfel bench`.
//!
//! Nothing here is part of the library: it may change with any version.

use wurfel_arena::Signatures;

use crate::plan::NOT_SEARCHED;

/// From now on, plans and units are made without the searches that show the version of the program:
/// they take seconds, and a fuzz target has only one version. Has no effect if the searches have
/// already been made.
pub fn skip_searches() {
    let _ = NOT_SEARCHED.set(Signatures { text: "not searched".to_owned(), speed: 1e6 });
}
