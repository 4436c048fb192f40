//! EWN as the program offers it: names, evaluations, set-ups, diagrams and networks.

use std::sync::Arc;

use wurfel_core::{BySide, Diagram, Encode, Evaluator, Game, Random, Side};

use super::basic::Basic;
use super::board::{CELLS, Cell};
use super::cube::Cube;
use super::diagram::diagram;
use super::encoding::Encoding;
use super::evaluate::{
    AttackDefence, Composite, Odema, Schwarz, SchwarzScore, WEIGHTS, Zweistein, ZweisteinOdds,
    ZweisteinSum, learned,
};
use super::moves::Move;
use super::notation::letter;
use super::position::Position;
use super::rolls::{Die, RuleSet};
use super::setup::Setup;
use super::wtn;
use crate::shipped::{ShippedFile, shipped};
use crate::{
    Choice, HeuristicWeights, IN_PAGE, Learnable, Pieces, Playable, RecordForm, UseEvaluation,
};

impl<R: RuleSet> Playable for Position<R> {
    const NAME: &'static str = R::NAME;
    const TITLE: &'static str = R::TITLE;
    const ABOUT: &'static str = R::ABOUT;
    const LEGEND: &'static str = "A to F are red's cubes 1 to 6, a to f are blue's. * is a goal.";
    const SIDES: BySide<&'static str> = BySide::new("red", "blue");
    const EVALUATIONS: &'static [Choice] = &[
        Choice {
            name: "zweistein",
            about: "win probability of the game without captures (paper zweistein)",
        },
        Choice { name: "learned", about: "zweistein corrected by a small network" },
        Choice { name: "schwarz", about: "difference of the expected distances to the corner" },
        Choice {
            name: "schwarz-score",
            about: "difference of the turns that each side's quickest cube needs alone",
        },
        Choice {
            name: "odema",
            about: "attack, block and threat after ODEMA; the definition of block is our own reading",
        },
        Choice {
            name: "composite",
            about: "mobility, nearness and a penalty (paper heuristic-pruned-mcts)",
        },
        Choice {
            name: "attack-defence",
            about: "fitted to race and captures; stands in for EWNNY, which is not public",
        },
        Choice {
            name: "zweistein-sum",
            about: "zweistein as its paper computes it, by 19 products a call instead of a table",
        },
    ];

    const BEST_EVALUATION: &'static str = "learned";
    const MAX_SOLVED: u32 = 6;

    const RECORDS: &'static [RecordForm<Self>] = &[RecordForm {
        name: "wtn",
        recognises: wtn::recognises,
        split: wtn::split,
        read: wtn::read,
        write: wtn::write,
        file_name: wtn::file_name,
    }];

    type Basic = Basic;

    fn evaluation<U: UseEvaluation<Self>>(name: &str, user: U) -> Option<U::Output> {
        // Evaluations that need no speed are called through a pointer, so that searches are
        // compiled only once for all of them.
        let called = |evaluator: Arc<dyn Evaluator<Self>>| evaluator;
        match name {
            "zweistein" if !IN_PAGE => Some(user.with(Zweistein::<R>::new())),
            "zweistein" => Some(user.with(called(Arc::new(Zweistein::<R>::new())))),
            "learned" => Some(user.with(learned::<R>())),
            "schwarz" => Some(user.with(called(Arc::new(Schwarz::<R>::new())))),
            "schwarz-score" => Some(user.with(called(Arc::new(SchwarzScore::<R>::new())))),
            "odema" => Some(user.with(called(Arc::new(Odema::<R>::new())))),
            "composite" => Some(user.with(called(Arc::new(Composite::<R>::default())))),
            "zweistein-sum" => Some(user.with(called(Arc::new(ZweisteinSum::<R>::new())))),
            "attack-defence" => Some(user.with(called(Arc::new(AttackDefence::<R>::new())))),
            _ => None,
        }
    }

    fn file_of(evaluation: &str) -> Option<&'static ShippedFile> {
        (evaluation == "learned").then_some(WEIGHTS)
    }

    fn composite(weights: HeuristicWeights) -> Option<Arc<dyn Evaluator<Self>>> {
        Some(Arc::new(Composite::<R>::new(weights)))
    }

    type Setup = Setup;

    fn setups() -> &'static [Setup] {
        Setup::all()
    }

    fn setup_of(text: &str) -> Option<Setup> {
        text.parse().ok()
    }

    fn start(&self, setups: BySide<Setup>) -> Self {
        Self::new(setups[Side::First], setups[Side::Second])
    }

    fn start_with(&self, setups: BySide<Setup>, begins: Side) -> Option<Self> {
        let mut start = self.start(setups);
        start.settle(begins, 1);
        Some(start)
    }

    /// Draws a set of cubes with at least one of each side, each set equally likely, and a way to
    /// place them on different squares, each equally likely.
    fn scattered(&self, pieces: u32, random: &mut Random) -> Option<Self> {
        let mut cubes: Vec<(Side, Cube)> =
            Side::BOTH.into_iter().flat_map(|side| Cube::ALL.map(|cube| (side, cube))).collect();
        if pieces as usize > cubes.len() {
            return None;
        }
        let mut cells: Vec<Cell> = (0..CELLS).filter_map(Cell::new).collect();
        random.shuffle(&mut cubes);
        random.shuffle(&mut cells);
        let mut position = Self::EMPTY;
        for (&(side, cube), &cell) in cubes.iter().take(pieces as usize).zip(&cells) {
            position.put(side, cube, cell);
        }
        position.settle(*random.pick(&Side::BOTH), 1);
        position.outcome().is_none().then_some(position)
    }

    fn diagram(&self, roll: Option<Die>) -> Diagram {
        diagram(self, roll)
    }

    fn captured(&self, mv: Move) -> Option<char> {
        self.at(mv.to()).map(|(side, cube)| letter(side, cube))
    }

    /// Every cube has the value 1.
    fn pieces(&self, side: Side) -> Pieces {
        let count = self.cubes(side).count();
        Pieces { count: count as u32, value: count as i32 }
    }
}

impl<R: RuleSet> Learnable for Position<R> {
    /// The network was trained under the official rules; `nets/einstein-net.md` says how.
    const NETWORK: Option<&'static ShippedFile> =
        Some(&shipped!("einstein-net.safetensors", 0x094c_8e49_2d29_3d3f));

    const ENCODINGS: &'static [&'static dyn Encode<Self>] =
        &[&Encoding::V3, &Encoding::V2, &Encoding::V1];

    type Base = ZweisteinOdds<R>;
}
