//! The steps: for engines that speak UGI a file for each subject, for those of course cups a single
//! file.

mod course;
mod ends;
mod introduction;
mod malformed;
mod positions;
mod queries;
mod reports;
mod searches;

use super::step::Group;
use super::talk::Talk;

pub use course::course;

/// The steps for UGI, in order.
pub fn ugi() -> Vec<Group<Talk>> {
    vec![
        introduction::group(),
        positions::setting(),
        positions::deciding(),
        searches::limits(),
        searches::stopping(),
        searches::pondering(),
        reports::before_the_roll(),
        reports::values(),
        queries::group(),
        malformed::group(),
        ends::group(),
    ]
}
