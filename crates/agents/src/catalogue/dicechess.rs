//! Dice Chess: its levels, and the positions that `bench` searches.
//!
//! Each level was measured with `wurfel match SPEC REFERENCE --game GAME --pairs PAIRS --luck off`
//! (seed 1). The reference, whose Elo is set to 1500, is `expecti:depth=1` with one die and
//! `greedy` with three. Skill shows more in Dice Chess than in EWN: the strongest level wins more
//! than four games of five against the reference.

use wurfel_games::dicechess::{DiceChess, DiceChess3, PUZZLES, PUZZLES_OF_THREE, Variant};

use super::{Catalogued, Level, PuzzleBook};

/// The levels with one die, from 1000 pairs each.
const ONE: &[Level] = &[
    Level { name: "Random", spec: "random", elo: 828, within: 53 },
    Level { name: "Newcomer", spec: "flat:playouts=3", elo: 1146, within: 23 },
    Level { name: "Beginner", spec: "flat:playouts=3,cut=6", elo: 1331, within: 17 },
    Level { name: "Casual", spec: "flat:playouts=3,cut=2", elo: 1411, within: 16 },
    Level { name: "Practised", spec: "expecti:depth=1", elo: 1500, within: 0 },
    Level { name: "Skilled", spec: "expecti:depth=2", elo: 1600, within: 16 },
    Level { name: "Expert", spec: "star2:depth=3", elo: 1684, within: 17 },
    Level { name: "Champion", spec: "champion:depth=2", elo: 1927, within: 28 },
];

/// The levels where a pawn may promote by the die, from 1000 pairs each.
const PROMOTION: &[Level] = &[
    Level { name: "Random", spec: "random", elo: 828, within: 53 },
    Level { name: "Newcomer", spec: "flat:playouts=3", elo: 1118, within: 24 },
    Level { name: "Beginner", spec: "flat:playouts=3,cut=6", elo: 1331, within: 17 },
    Level { name: "Casual", spec: "flat:playouts=3,cut=2", elo: 1412, within: 15 },
    Level { name: "Practised", spec: "expecti:depth=1", elo: 1500, within: 0 },
    Level { name: "Skilled", spec: "expecti:depth=2", elo: 1598, within: 16 },
    Level { name: "Expert", spec: "star2:depth=3", elo: 1681, within: 17 },
    Level { name: "Champion", spec: "champion:depth=2", elo: 1913, within: 27 },
];

/// The levels where a bare king loses, from 1000 pairs each.
const BARE: &[Level] = &[
    Level { name: "Random", spec: "random", elo: 828, within: 53 },
    Level { name: "Newcomer", spec: "flat:playouts=3", elo: 1124, within: 24 },
    Level { name: "Beginner", spec: "flat:playouts=3,cut=6", elo: 1329, within: 17 },
    Level { name: "Casual", spec: "flat:playouts=3,cut=2", elo: 1409, within: 16 },
    Level { name: "Practised", spec: "expecti:depth=1", elo: 1500, within: 0 },
    Level { name: "Skilled", spec: "expecti:depth=2", elo: 1597, within: 16 },
    Level { name: "Expert", spec: "star2:depth=3", elo: 1683, within: 17 },
    Level { name: "Champion", spec: "champion:depth=2", elo: 1922, within: 28 },
];

/// The levels with three dice, from 400 pairs for the second level, 500 for the next two, and 1000
/// for the others.
const THREE: &[Level] = &[
    Level { name: "Random", spec: "random", elo: 867, within: 49 },
    Level { name: "Newcomer", spec: "flat:playouts=2", elo: 1106, within: 39 },
    Level { name: "Beginner", spec: "flat:playouts=1,cut=6", elo: 1276, within: 26 },
    Level { name: "Casual", spec: "flat:playouts=3,cut=2", elo: 1367, within: 23 },
    Level { name: "Practised", spec: "greedy", elo: 1500, within: 0 },
    Level { name: "Skilled", spec: "flat:playouts=20,cut=1,eval=learned", elo: 1559, within: 15 },
    Level { name: "Expert", spec: "expecti:depth=1", elo: 1626, within: 16 },
    Level { name: "Master", spec: "star2:depth=1,eval=learned", elo: 1844, within: 23 },
    Level { name: "Champion", spec: "champion:depth=2", elo: 1848, within: 23 },
];

const SAMPLES: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 n",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 b",
    "r1bqk2r/pp1p1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQ1RK1 b kq - 0 12 q",
    "3r2k1/1p3p1p/p5p1/3n4/8/P1B2N2/1P3PPP/4R1K1 w - - 4 30 r",
    "8/5k2/1p4p1/p1r2p2/8/1PR3P1/P4PK1/8 b - - 2 55 k",
];

const SAMPLES_OF_THREE: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 RQK",
    "r1bqk2r/pp1p1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQ1RK1 b kq - 0 6 ppq",
    "3r2k1/1p3p1p/p5p1/3n4/8/P1B2N2/1P3PPP/4R1K1 w - - 4 15 NR",
    "8/5k2/1p4p1/p1r2p2/8/1PR3P1/P4PK1/8 b - - 2 25 prk",
];

const BOOK: PuzzleBook = PuzzleBook {
    analyser: "champion:depth=3",
    depth: 3,
    first_look: "champion:depth=2",
    file: &PUZZLES,
};

/// The first look has all ends of a turn as its candidates, and so names them all.
const BOOK_OF_THREE: PuzzleBook = PuzzleBook {
    analyser: "champion:depth=2",
    depth: 2,
    first_look: "selective:depth=1,candidates=10000",
    file: &PUZZLES_OF_THREE,
};

const BENCHES: &[&str] = &["expecti:depth=4", "star2:depth=4"];
const BENCHES_OF_THREE: &[&str] = &["star2:depth=1", "expecti:depth=1", "selective:depth=2"];

impl Catalogued for DiceChess {
    const SAMPLES: &'static [&'static str] = SAMPLES;
    const BENCHES: &'static [&'static str] = BENCHES;

    fn levels(&self) -> &'static [Level] {
        match self.variant() {
            Variant::Standard => ONE,
            Variant::PromotionByDie => PROMOTION,
            Variant::BareKingLoses => BARE,
        }
    }

    fn puzzles(&self) -> Option<PuzzleBook> {
        (self.variant() == Variant::Standard).then_some(BOOK)
    }

    compiled_here!();
}

impl Catalogued for DiceChess3 {
    const SAMPLES: &'static [&'static str] = SAMPLES_OF_THREE;
    const BENCHES: &'static [&'static str] = BENCHES_OF_THREE;

    fn levels(&self) -> &'static [Level] {
        THREE
    }

    fn puzzles(&self) -> Option<PuzzleBook> {
        Some(BOOK_OF_THREE)
    }

    compiled_here!();
}
