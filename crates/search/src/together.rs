//! Work on several threads. It has a function of its own so that it is compiled only once, for all
//! searches.

use wurfel_core::threads;

/// A piece of work for another thread.
pub(crate) type Work<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Runs each piece of `others` on a thread of its own and meanwhile `own` on this one; returns when
/// all are done.
///
/// # Panics
/// When one of them panics.
pub(crate) fn together(others: Vec<Work<'_>>, own: Box<dyn FnOnce() + '_>) {
    threads::scope(|scope| {
        for work in others {
            scope.spawn(work);
        }
        own();
    });
}
