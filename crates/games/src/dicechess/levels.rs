//! Agents of rising strength to play against.
//!
//! Each was measured with `wurfel match SPEC REFERENCE --game GAME --pairs PAIRS --luck off` (seed 1),
//! and the reference set to 1500: `expecti:depth=1` with one die, `greedy` with three. Games
//! of chess let skill show more than those of the cubes: the strongest wins more than four
//! games of five against the reference.

use crate::Level;

/// One die: 1000 pairs.
pub(super) const ONE: &[Level] = &[
    Level { name: "By chance", spec: "random", elo: 828, within: 53 },
    Level { name: "Newcomer", spec: "flat:playouts=3", elo: 1146, within: 23 },
    Level { name: "Beginner", spec: "flat:playouts=3,cut=6", elo: 1331, within: 17 },
    Level { name: "Casual", spec: "flat:playouts=3,cut=2", elo: 1411, within: 16 },
    Level { name: "Practised", spec: "expecti:depth=1", elo: 1500, within: 0 },
    Level { name: "Skilled", spec: "expecti:depth=2", elo: 1600, within: 16 },
    Level { name: "Expert", spec: "star2:depth=3", elo: 1684, within: 17 },
    Level { name: "Champion", spec: "champion:depth=2", elo: 1927, within: 28 },
];

/// Three dice: 400 pairs for the second level, 500 for the next two, 1000 for the others.
pub(super) const THREE: &[Level] = &[
    Level { name: "By chance", spec: "random", elo: 867, within: 49 },
    Level { name: "Newcomer", spec: "flat:playouts=2", elo: 1106, within: 39 },
    Level { name: "Beginner", spec: "flat:playouts=1,cut=6", elo: 1276, within: 26 },
    Level { name: "Casual", spec: "flat:playouts=3,cut=2", elo: 1367, within: 23 },
    Level { name: "Practised", spec: "greedy", elo: 1500, within: 0 },
    Level { name: "Skilled", spec: "flat:playouts=20,cut=1,eval=learned", elo: 1542, within: 15 },
    Level { name: "Expert", spec: "expecti:depth=1", elo: 1626, within: 16 },
    Level { name: "Champion", spec: "expecti:depth=1,eval=learned", elo: 1791, within: 21 },
];
