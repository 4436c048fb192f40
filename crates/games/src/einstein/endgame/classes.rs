//! Classes: sets of living cubes that the die treats alike.
//!
//! The numbers of cubes matter only because they decide which cubes each face lets move, now and
//! after any captures. So the cubes of a set are put into *slots*. Two sets of equally many cubes
//! belong to one class when their cubes can be put into slots so that the same slots have the same
//! weights, and so that the sets without the cube of each slot belong to one class again. This
//! finds, for instance, that all sets of a single cube are alike, and that a set is like the set
//! with reversed numbers.

use std::collections::HashMap;

use crate::einstein::cube::Cube;
use crate::einstein::rolls::{FACES, Rolls};

/// One class of sets of cubes.
#[derive(Debug)]
pub(super) struct Class {
    /// How many cubes the set has.
    pub count: usize,
    /// The rolls that differ.
    pub rolls: Vec<Roll>,
    /// Whether exchanging slots 0 and 1, 2 and 3, 4 and 5 changes nothing. No other exchange of
    /// slots changes nothing in any class.
    pub twin: bool,
    /// For each slot: the class of the set without its cube, and for each slot of that class the
    /// cube that stands in it, as an index into the remaining slots of this class.
    pub without: Vec<(u8, [u8; 6])>,
    /// A set of this class, as the cube in each slot.
    pub cubes: [Cube; 6],
}

/// Faces of the die that allow the same slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Roll {
    /// The probability of these faces.
    pub weight: f32,
    /// The slots whose cubes may move; the same slot twice when there is only one.
    pub slots: [u8; 2],
}

/// All classes under one rule set, smaller sets first.
#[derive(Debug)]
pub(super) struct Classes {
    all: Vec<Class>,
    /// For each set (bit *i* for cube *i* + 1) its class, and the cube in each slot.
    of_set: [(u8, [u8; 6]); 64],
}

/// What two orders of cubes must share to be alike: how many faces allow which slots, and, for each
/// slot, the number of the signature without the cube in that slot.
type Signature = (Vec<(u8, u32)>, Vec<usize>);

/// The signatures found so far, which are numbered.
struct Signatures<'a> {
    rolls: &'a Rolls,
    numbers: HashMap<Signature, usize>,
    /// The number of the signature of each order of cubes that was looked at.
    of_order: HashMap<Vec<u8>, usize>,
}

impl Signatures<'_> {
    /// The number of the signature of these cubes in this order.
    fn number(&mut self, cubes: &[u8]) -> usize {
        if let Some(&number) = self.of_order.get(cubes) {
            return number;
        }
        let shorter = (0..cubes.len()).filter(|_| cubes.len() > 1);
        let shorter = shorter.map(|slot| self.number(&without(cubes, slot))).collect();
        let signature = (faces(self.rolls, cubes), shorter);
        let next = self.numbers.len();
        let number = *self.numbers.entry(signature).or_insert(next);
        self.of_order.insert(cubes.to_vec(), number);
        number
    }
}

/// How many faces of the die allow each set of slots, in ascending order of the sets as bits.
fn faces(rolls: &Rolls, cubes: &[u8]) -> Vec<(u8, u32)> {
    let alive = cubes.iter().fold(0, |alive, cube| alive | 1 << cube);
    let mut faces: Vec<(u8, u32)> = vec![];
    for face in &FACES {
        let movable = rolls.movable(alive, face.item);
        let slots = (0..cubes.len()).filter(|&slot| movable >> cubes[slot] & 1 == 1);
        let slots = slots.fold(0, |slots, slot| slots | 1 << slot);
        match faces.iter_mut().find(|(known, _)| *known == slots) {
            Some((_, count)) => *count += face.weight,
            None => faces.push((slots, face.weight)),
        }
    }
    faces.sort_unstable();
    faces
}

fn without(cubes: &[u8], slot: usize) -> Vec<u8> {
    let mut rest = cubes.to_vec();
    rest.remove(slot);
    rest
}

fn orders(cubes: &[u8]) -> Vec<Vec<u8>> {
    if cubes.is_empty() {
        return vec![vec![]];
    }
    let first = |slot: usize| {
        let rest = orders(&without(cubes, slot)).into_iter();
        rest.map(move |rest| [&cubes[slot..=slot], &rest].concat())
    };
    (0..cubes.len()).flat_map(first).collect()
}

fn slots(cubes: &[u8]) -> [u8; 6] {
    let mut slots = [0; 6];
    slots[..cubes.len()].copy_from_slice(cubes);
    slots
}

/// The cubes in an order in which neighbours can be exchanged without changing anything, if there
/// is such an order, and whether there is one.
fn paired(signatures: &mut Signatures<'_>, cubes: Vec<u8>) -> (Vec<u8>, bool) {
    let own = signatures.number(&cubes);
    let twin =
        orders(&cubes).into_iter().find(|order| *order != cubes && signatures.number(order) == own);
    let Some(twin) = twin else { return (cubes, false) };
    let pairs = cubes.iter().zip(&twin).filter(|(cube, other)| cube < other);
    (pairs.flat_map(|(&cube, &other)| [cube, other]).collect(), true)
}

impl Classes {
    /// Finds the classes under a rule set.
    pub fn new(rolls: &Rolls) -> Self {
        let mut signatures =
            Signatures { rolls, numbers: HashMap::new(), of_order: HashMap::new() };
        let mut classes = Self { all: vec![], of_set: [(0, [0; 6]); 64] };
        // The class of each signature.
        let mut known: HashMap<usize, u8> = HashMap::new();
        let mut sets: Vec<u8> = (1..64).collect();
        sets.sort_by_key(|set| set.count_ones());
        for set in sets {
            let cubes: Vec<u8> = (0..6).filter(|cube| set >> cube & 1 == 1).collect();
            let canonical = orders(&cubes).into_iter().find_map(|order| {
                known.get(&signatures.number(&order)).map(|&class| (class, slots(&order)))
            });
            classes.of_set[usize::from(set)] = canonical.unwrap_or_else(|| {
                let (order, twin) = paired(&mut signatures, cubes);
                let class = classes.all.len() as u8;
                known.insert(signatures.number(&order), class);
                classes.add(&faces(rolls, &order), &order, twin);
                (class, slots(&order))
            });
        }
        classes
    }

    /// Adds a class. The classes of the smaller sets must be known.
    fn add(&mut self, faces: &[(u8, u32)], order: &[u8], twin: bool) {
        let roll = |&(slots, faces): &(u8, u32)| Roll {
            weight: faces as f32 / 6.0,
            slots: [slots.trailing_zeros() as u8, slots.ilog2() as u8],
        };
        let smaller = |slot: usize| {
            let rest = without(order, slot);
            let set = rest.iter().fold(0, |set, cube| set | 1 << cube);
            let (class, cubes) = self.of_set[set];
            // The index in `rest` of the cube in each slot.
            let place = |cube: &u8| rest.iter().position(|other| other == cube).unwrap_or(0) as u8;
            (class, slots(&cubes[..rest.len()].iter().map(place).collect::<Vec<_>>()))
        };
        let without = (0..order.len()).filter(|_| order.len() > 1).map(smaller).collect();
        self.all.push(Class {
            count: order.len(),
            rolls: faces.iter().map(roll).collect(),
            twin,
            without,
            cubes: slots(order).map(Cube::known),
        });
    }

    /// The numbers of the classes with this many cubes.
    pub fn of_count(&self, count: usize) -> impl Iterator<Item = u8> {
        let of = move |(n, class): (usize, &Class)| (class.count == count).then_some(n as u8);
        self.all.iter().enumerate().filter_map(of)
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// The class with this number.
    #[inline(always)]
    pub fn get(&self, class: u8) -> &Class {
        &self.all[usize::from(class)]
    }

    /// The class of a set of cubes, and for each of its slots the cube in it.
    #[inline(always)]
    pub fn of_set(&self, alive: u8) -> (u8, [u8; 6]) {
        self.of_set[usize::from(alive & 63)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::einstein::{Nearest, Official, RuleSet};

    #[test]
    fn the_die_tells_so_many_sets_apart() {
        // Sets are alike up to reversal, and all single cubes are. Under the nearest-number rule
        // some pairs are alike, too: {1,4} and {2,3} both give faces 2 and 4.
        for (rolls, expected) in [
            (Official::ROLLS, [(1, 0), (9, 3), (10, 0), (9, 3), (3, 0), (1, 1)]),
            (Nearest::ROLLS, [(1, 0), (5, 1), (10, 0), (9, 3), (3, 0), (1, 1)]),
        ] {
            let classes = Classes::new(rolls);
            for (count, expected) in (1..).zip(expected) {
                let all: Vec<&Class> =
                    classes.of_count(count).map(|class| classes.get(class)).collect();
                let twins = all.iter().filter(|class| class.twin).count();
                assert_eq!((all.len(), twins), expected, "{count} cubes");
            }
        }
    }

    #[test]
    fn sets_of_a_class_agree_in_every_roll_and_after_every_capture() {
        for rolls in [Official::ROLLS, Nearest::ROLLS] {
            let classes = Classes::new(rolls);
            for set in 1..64u8 {
                let (class, cubes) = classes.of_set(set);
                let class = classes.get(class);
                let cubes = &cubes[..class.count];
                let known = class.cubes.map(|cube| cube.index() as u8);
                assert_eq!(faces(rolls, cubes), faces(rolls, &known[..class.count]));
                if class.twin {
                    let mut twin = cubes.to_vec();
                    twin.chunks_mut(2).for_each(<[u8]>::reverse);
                    assert_eq!(faces(rolls, cubes), faces(rolls, &twin));
                }
                for (slot, &(smaller, order)) in class.without.iter().enumerate() {
                    let rest = without(cubes, slot);
                    let order = &order[..rest.len()];
                    let rest: Vec<u8> = order.iter().map(|&n| rest[usize::from(n)]).collect();
                    let smaller = classes.get(smaller);
                    let known = smaller.cubes.map(|cube| cube.index() as u8);
                    assert_eq!(faces(rolls, &rest), faces(rolls, &known[..rest.len()]));
                }
            }
        }
    }
}
