//! Distance codes taken apart, for evaluations whose tables are indexed by code.

/// The base of a distance code, which is one more than the largest distance.
const BASE: usize = 5;
/// How many distance codes there are: 5⁶.
pub(super) const CODES: usize = BASE.pow(6);
/// By how much a code falls when a cube makes a step.
pub(super) const POWERS: [usize; 6] = [1, 5, 25, 125, 625, 3125];

/// The distances of cubes 1 to 6 from their goal, 0 for a captured cube (see
/// [`Position::distance_code`](crate::einstein::Position::distance_code)).
#[derive(Clone, Copy)]
pub(super) struct Distances([usize; 6]);

impl Distances {
    /// The distances that a code below [`CODES`] stands for.
    pub fn of(code: usize) -> Self {
        Self(POWERS.map(|power| code / power % BASE))
    }

    /// The living cubes, as indices from 0, with their distances, 1 to 4.
    pub fn living(&self) -> impl Iterator<Item = (usize, usize)> {
        self.0.into_iter().enumerate().filter(|(_, distance)| *distance > 0)
    }

    /// The set of living cubes: bit *i* for cube *i* + 1.
    pub fn alive(&self) -> u8 {
        self.living().fold(0, |set, (cube, _)| set | 1 << cube)
    }

    /// The set of cubes at this distance: bit *i* for cube *i* + 1.
    pub fn at(&self, distance: usize) -> u8 {
        self.living().filter(|(_, far)| *far == distance).fold(0, |set, (cube, _)| set | 1 << cube)
    }
}

/// A table by distance code, with 0 for code 0, which no side has before the end.
pub(super) fn by_code(value: impl Fn(Distances) -> f32) -> Vec<f32> {
    let values = (1..CODES).map(|code| value(Distances::of(code)));
    std::iter::once(0.0).chain(values).collect()
}
