//! Work on several threads at once; compiled once, whatever the searches that do it.

use std::thread;

/// A piece of work for another thread.
pub(crate) type Work<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Does the work of the others, each on a thread of its own, and meanwhile one's own on this
/// one; returns when all is done.
///
/// # Panics
/// When some of the work did.
pub(crate) fn together(others: Vec<Work<'_>>, own: Box<dyn FnOnce() + '_>) {
    thread::scope(|scope| {
        for work in others {
            scope.spawn(work);
        }
        own();
    });
}
