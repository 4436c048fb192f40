//! The steps: for UGI a file for each subject, and for the course protocol a single file.

mod course;
mod ends;
mod introduction;
mod malformed;
mod positions;
mod queries;
mod reports;
mod searches;

use super::step::Group;

pub use course::course;

/// The step without which no other can be tried.
const READY: &str = "isready";
/// The step without which no step with moves can be tried.
const MOVES: &str = "rolls and moves after a position";

/// The steps for UGI, in order of their levels: what an engine does after invalid lines must not be
/// held against its play.
pub fn ugi() -> Vec<Group> {
    vec![
        introduction::basic(),
        positions::deciding(),
        searches::times(),
        introduction::details(),
        positions::setting(),
        positions::moving(),
        searches::limits(),
        searches::stopping(),
        searches::pondering(),
        reports::before_the_roll(),
        reports::values(),
        queries::group(),
        ends::group(),
        searches::odd_limits(),
        malformed::positions(),
        malformed::lines(),
        ends::in_the_middle(),
    ]
}
