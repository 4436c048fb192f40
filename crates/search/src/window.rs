//! The window of alpha-beta, in which both sides see the same value from opposite ends.
//!
//! A search that fails returns a bound and not a value, and the caller must be able to tell. With
//! numbers of 32 bits, 1 − (1 − x) is not always x, so a bound that is compared only after it has
//! been turned may seem to lie inside the window by the last digit. [`Window::seen_from`] therefore
//! compares first and turns afterwards.

/// The open interval in which the value of a node matters to the search, for one side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub alpha: f32,
    pub beta: f32,
}

impl Window {
    /// The window as the other side sees it.
    pub fn turned(self) -> Self {
        Self { alpha: 1.0 - self.beta, beta: 1.0 - self.alpha }
    }

    /// The value for this side of a result that was found for the other side within
    /// [`turned`](Self::turned). What failed there fails here, too: it is at most alpha or at least
    /// beta.
    pub fn seen_from(self, result: f32) -> f32 {
        let (value, other) = (1.0 - result, self.turned());
        if result >= other.beta {
            value.min(self.alpha)
        } else if result <= other.alpha {
            value.max(self.beta)
        } else {
            value
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For about a quarter of all numbers, turning twice gives another number.
    #[test]
    fn a_bound_stays_a_bound_when_it_is_turned() {
        let mut rounded = 0;
        for step in 1..10_000 {
            let alpha = step as f32 / 10_007.0;
            let window = Window { alpha, beta: alpha + 1e-5 };
            let other = window.turned();
            rounded += u32::from(1.0 - other.beta > alpha);
            assert!(window.seen_from(other.beta) <= window.alpha, "{alpha}");
            assert!(window.seen_from(other.alpha) >= window.beta, "{alpha}");
            assert!(window.seen_from(other.beta.next_up()) <= window.alpha, "{alpha}");
            assert!(window.seen_from(other.alpha.next_down()) >= window.beta, "{alpha}");
        }
        assert!(rounded > 1000, "{rounded}");
    }

    #[test]
    fn a_value_inside_is_turned() {
        let window = Window { alpha: 0.25, beta: 0.75 };
        assert!((window.seen_from(0.375) - 0.625).abs() < f32::EPSILON);
        assert!((window.seen_from(0.875) - 0.125).abs() < f32::EPSILON);
        assert!((window.seen_from(0.125) - 0.875).abs() < f32::EPSILON);
    }
}
