//! Distance codes taken apart: what an evaluation may look up by code.

/// One more than the largest distance: the base of a distance code.
pub(super) const BASE: usize = 5;
/// Distance codes: 5⁶.
pub(super) const CODES: usize = 15_625;

/// The distances of cubes 1 to 6 from their goal, 0 for one that is gone (see
/// [`Position::distance_code`](crate::einstein::Position::distance_code)).
#[derive(Clone, Copy)]
pub(super) struct Distances([usize; 6]);

impl Distances {
    /// What a code below [`CODES`] stands for.
    pub fn of(code: usize) -> Self {
        Self(std::array::from_fn(|cube| code / BASE.pow(cube as u32) % BASE))
    }

    /// The living cubes as places from 0, with their distances, 1 to 4.
    pub fn living(&self) -> impl Iterator<Item = (usize, usize)> {
        self.0.into_iter().enumerate().filter(|(_, distance)| *distance > 0)
    }

    /// The living cubes: bit *i* for cube *i* + 1.
    pub fn alive(&self) -> u8 {
        self.living().fold(0, |set, (cube, _)| set | 1 << cube)
    }

    /// The cubes at this distance, as a set like `alive`.
    pub fn at(&self, distance: usize) -> u8 {
        self.living().filter(|(_, far)| *far == distance).fold(0, |set, (cube, _)| set | 1 << cube)
    }
}

/// A table by distance code; 0 for code 0, which no side before the end has.
pub(super) fn by_code(value: impl Fn(Distances) -> f32) -> Vec<f32> {
    let values = (1..CODES).map(|code| value(Distances::of(code)));
    std::iter::once(0.0).chain(values).collect()
}
