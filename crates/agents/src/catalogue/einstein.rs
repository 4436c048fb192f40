//! EinStein würfelt nicht!: its levels, and the positions that `bench` searches.
//!
//! Each level was measured with `wurfel match SPEC expecti:depth=1 --game GAME --pairs 1000`
//! (seed 1); the Elo of `expecti:depth=1` is set to 1500. The dice limit what skill can do: the
//! strongest level wins seven games of ten against that reference.

use wurfel_games::einstein::{Einstein, EinsteinNearest};

use super::{Catalogued, Level};

const OFFICIAL: &[Level] = &[
    Level { name: "Random", spec: "random", elo: 1114, within: 25 },
    Level { name: "Newcomer", spec: "flat:playouts=6", elo: 1212, within: 21 },
    Level { name: "Beginner", spec: "flat:playouts=20", elo: 1327, within: 17 },
    Level { name: "Casual", spec: "flat:playouts=60", elo: 1394, within: 15 },
    Level { name: "Practised", spec: "flat:playouts=150", elo: 1439, within: 15 },
    Level { name: "Skilled", spec: "expecti:depth=1", elo: 1500, within: 0 },
    Level { name: "Expert", spec: "expecti:depth=2", elo: 1572, within: 12 },
    Level { name: "Champion", spec: "champion:depth=5", elo: 1660, within: 16 },
];

/// The levels under the nearest-number rule; from 500 pairs for the strongest.
const NEAREST: &[Level] = &[
    Level { name: "Random", spec: "random", elo: 1147, within: 24 },
    Level { name: "Newcomer", spec: "flat:playouts=6", elo: 1240, within: 20 },
    Level { name: "Beginner", spec: "flat:playouts=20", elo: 1349, within: 16 },
    Level { name: "Casual", spec: "flat:playouts=60", elo: 1415, within: 16 },
    Level { name: "Practised", spec: "flat:playouts=150", elo: 1462, within: 15 },
    Level { name: "Skilled", spec: "expecti:depth=1", elo: 1500, within: 0 },
    Level { name: "Expert", spec: "expecti:depth=2", elo: 1556, within: 13 },
    Level { name: "Champion", spec: "champion:depth=5", elo: 1617, within: 22 },
];

const SAMPLES: &[&str] = &[
    "ABC2/DE3/F3f/3ed/2cba r 4 1",
    "FA1B1/2C2/D2e1/2E1d/2cba b 2 6",
    "1B3/A1C2/1D1cf/2b2/3ed r 5 9",
    "2C2/1A1d1/3e1/1b1F1/a4 b 3 14",
    "2B2/F4/5/3f1/4a r 4 11",
];

const BENCHES: &[&str] = &["expecti:depth=6", "star2:depth=8"];

impl Catalogued for Einstein {
    const SAMPLES: &'static [&'static str] = SAMPLES;
    const BENCHES: &'static [&'static str] = BENCHES;

    fn levels(&self) -> &'static [Level] {
        OFFICIAL
    }

    compiled_here!();
}

impl Catalogued for EinsteinNearest {
    const SAMPLES: &'static [&'static str] = SAMPLES;
    const BENCHES: &'static [&'static str] = BENCHES;

    fn levels(&self) -> &'static [Level] {
        NEAREST
    }

    compiled_here!();
}
