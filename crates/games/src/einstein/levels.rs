//! Agents of rising strength to play against.
//!
//! Each was measured with `wurfel match SPEC expecti:depth=1 --game GAME --pairs 1000` (seed 1), and
//! `expecti:depth=1` set to 1500. Dice keep the best from winning much more often: the
//! strongest wins seven games of ten against that one.

use crate::Level;

/// The official rules.
pub(super) const OFFICIAL: &[Level] = &[
    Level { name: "By chance", spec: "random", elo: 1114, within: 25 },
    Level { name: "Newcomer", spec: "flat:playouts=6", elo: 1212, within: 21 },
    Level { name: "Beginner", spec: "flat:playouts=20", elo: 1327, within: 17 },
    Level { name: "Casual", spec: "flat:playouts=60", elo: 1394, within: 15 },
    Level { name: "Practised", spec: "flat:playouts=150", elo: 1439, within: 15 },
    Level { name: "Skilled", spec: "expecti:depth=1", elo: 1500, within: 0 },
    Level { name: "Expert", spec: "expecti:depth=2", elo: 1572, within: 12 },
    Level { name: "Champion", spec: "champion:depth=5", elo: 1660, within: 16 },
];

/// The nearest number; 500 pairs for the strongest.
pub(super) const NEAREST: &[Level] = &[
    Level { name: "By chance", spec: "random", elo: 1147, within: 24 },
    Level { name: "Newcomer", spec: "flat:playouts=6", elo: 1240, within: 20 },
    Level { name: "Beginner", spec: "flat:playouts=20", elo: 1349, within: 16 },
    Level { name: "Casual", spec: "flat:playouts=60", elo: 1415, within: 16 },
    Level { name: "Practised", spec: "flat:playouts=150", elo: 1462, within: 15 },
    Level { name: "Skilled", spec: "expecti:depth=1", elo: 1500, within: 0 },
    Level { name: "Expert", spec: "expecti:depth=2", elo: 1556, within: 13 },
    Level { name: "Champion", spec: "champion:depth=5", elo: 1617, within: 22 },
];
