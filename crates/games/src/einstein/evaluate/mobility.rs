//! Mobility: how many faces of the die let cubes move.

use std::marker::PhantomData;

use crate::einstein::rolls::{FACES, RuleSet};

/// How many sets of cubes there are; bit *i* of a set stands for cube *i* + 1.
const SETS: usize = 64;

/// Counts of faces, indexed by the living cubes and by the subset of them that is asked about.
#[derive(Clone, Debug)]
pub(super) struct Mobility<R> {
    faces: [[u8; SETS]; SETS],
    rules: PhantomData<R>,
}

impl<R: RuleSet> Mobility<R> {
    pub fn new() -> Self {
        let mut faces = [[0; SETS]; SETS];
        for (alive, by_wanted) in faces.iter_mut().enumerate().skip(1) {
            for (wanted, count) in by_wanted.iter_mut().enumerate() {
                let lets = |die| R::ROLLS.movable(alive as u8, die) & wanted as u8 != 0;
                *count = FACES.iter().filter(|face| lets(face.item)).count() as u8;
            }
        }
        Self { faces, rules: PhantomData }
    }

    /// How many of the six faces, 0 to 6, let a side with the living cubes `alive` move at least
    /// one of `wanted`. A face that leaves a choice between two cubes counts for both of them.
    #[inline(always)]
    pub fn faces(&self, alive: u8, wanted: u8) -> f32 {
        f32::from(self.faces[usize::from(alive & 63)][usize::from(wanted & 63)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::einstein::{Nearest, Official};

    /// The numbers of faces of each of the `cubes`, and of all of them together.
    fn faces<R: RuleSet>(cubes: &[u8]) -> (Vec<f32>, f32) {
        let mobility = Mobility::<R>::new();
        let alive = cubes.iter().fold(0, |set, cube| set | 1 << (cube - 1));
        let each = cubes.iter().map(|cube| mobility.faces(alive, 1 << (cube - 1))).collect();
        (each, mobility.faces(alive, alive))
    }

    #[test]
    fn the_faces_of_a_cube_are_its_own_and_those_of_its_lost_neighbours() {
        assert_eq!(faces::<Official>(&[1, 2, 3, 4, 5, 6]), (vec![1.0; 6], 6.0));
        // 1 and 2 move cube 2; 3 and 4 either; 5 and 6 cube 5.
        assert_eq!(faces::<Official>(&[2, 5]), (vec![4.0, 4.0], 6.0));
        assert_eq!(faces::<Nearest>(&[2, 5]), (vec![3.0, 3.0], 6.0));
        // 2 and 3 stand between 1 and 4, 5 between 4 and 6, equally far from both.
        assert_eq!(faces::<Official>(&[1, 4, 6]), (vec![3.0, 4.0, 2.0], 6.0));
        assert_eq!(faces::<Nearest>(&[1, 4, 6]), (vec![2.0, 3.0, 2.0], 6.0));
        assert_eq!(faces::<Nearest>(&[3]), (vec![6.0], 6.0));
    }
}
