//! Sorting by a score.

/// Sorts items by their scores, the highest first; items of equal score keep their order.
///
/// The slice's own sorting is compiled again for each type and each way to compare. Here only the exchange of items is, so
/// that a program for web pages, which has each search for several games, is smaller. It allocates: the inner loops of a
/// search use the slice's own.
///
/// ```
/// let mut moves = [("a1a2", 0.25), ("b1b2", 0.75), ("c1c2", 0.25)];
/// wurfel_core::sort_by_score(&mut moves, |&(_, value)| value);
/// assert_eq!(moves.map(|(mv, _)| mv), ["b1b2", "a1a2", "c1c2"]);
/// ```
pub fn sort_by_score<T>(items: &mut [T], score: impl FnMut(&T) -> f64) {
    let mut order: Vec<(f64, usize)> = items.iter().map(score).zip(0..).collect();
    sort(&mut order);
    for place in 0..items.len() {
        // The exchanges so far have moved an item from one of their places on to the place that it was exchanged with.
        let mut from = order[place].1;
        while from < place {
            from = order[from].1;
        }
        items.swap(place, from);
    }
}

#[inline(never)]
fn sort(order: &mut [(f64, usize)]) {
    order.sort_by(|(one, _), (other, _)| other.total_cmp(one));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn it_sorts_as_the_slice_does() {
        let scores = [f64::NEG_INFINITY, -0.0, 0.0, 0.5, 1.0, f64::INFINITY];
        let mut random = Random::new(1);
        for length in 0..200 {
            let item = |place| (scores[(6.0 * random.unit()) as usize], place);
            let mut items: Vec<(f64, usize)> = (0..length).map(item).collect();
            let mut expected = items.clone();
            expected.sort_by(|one, other| other.0.total_cmp(&one.0));
            sort_by_score(&mut items, |&(score, _)| score);
            assert_eq!(format!("{items:?}"), format!("{expected:?}"));
        }
    }
}
