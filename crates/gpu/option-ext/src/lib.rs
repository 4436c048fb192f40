//! A substitute for the crate of this name, whose licence (MPL-2.0) the project does not accept.
//! The GPU backends of burn need `dirs`, which needs `dirs-sys`, which needs only this method.

/// The method that `dirs-sys` uses on `Option`.
pub trait OptionExt<T> {
    /// Whether the option contains a value equal to `x`.
    fn contains<U: PartialEq<T>>(&self, x: &U) -> bool;
}

impl<T> OptionExt<T> for Option<T> {
    fn contains<U: PartialEq<T>>(&self, x: &U) -> bool {
        self.as_ref().is_some_and(|y| x == y)
    }
}
