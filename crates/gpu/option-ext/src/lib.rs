//! Stands in for the crate of this name, whose licence (MPL-2.0) the project does not take:
//! burn's GPU backends need `dirs`, that needs `dirs-sys`, and that needs this one method.

/// What `dirs-sys` adds to `Option`.
pub trait OptionExt<T> {
    /// Whether there is something that equals `x`.
    fn contains<U: PartialEq<T>>(&self, x: &U) -> bool;
}

impl<T> OptionExt<T> for Option<T> {
    fn contains<U: PartialEq<T>>(&self, x: &U) -> bool {
        self.as_ref().is_some_and(|y| x == y)
    }
}
