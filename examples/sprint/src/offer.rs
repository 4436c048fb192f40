// src/offer.rs
use wurfel_agents::Catalogued;
use wurfel_core::{
    BySide, Diagram, DiagramSquare, Endgame, Features, Piece, Preference, Side, Style, Turn,
};
use wurfel_games::learned::EvenBase;
use wurfel_games::{Choice, Learnable, Pieces, Playable, UseEvaluation};

use crate::evaluation::Distance;
use crate::game::{Die, HOME, Sprint};

/// What the agent `greedy` prefers: the runner in front.
#[derive(Clone, Default)]
pub struct FrontFirst;

impl Preference<Sprint> for FrontFirst {
    fn rate(&self, _: Turn<'_, Sprint>, mv: u32) -> i32 {
        mv as i32
    }
}

impl Playable for Sprint {
    const NAME: &'static str = "sprint";
    const TITLE: &'static str = "Sprint";
    const ABOUT: &'static str = "two runners a side; the die says how far one of them goes";
    const SIDES: BySide<&'static str> = BySide::new("north", "south");
    const EVALUATIONS: &'static [Choice] =
        &[Choice { name: "distance", about: "who has fewer squares to go" }];
    const BEST_EVALUATION: &'static str = "distance";

    type Basic = FrontFirst;

    fn evaluation<U: UseEvaluation<Self>>(name: &str, user: U) -> Option<U::Output> {
        (name == "distance").then(|| user.with(Distance))
    }

    /// There is one way to begin.
    type Setup = &'static str;

    fn setups() -> &'static [&'static str] {
        &["start"]
    }

    fn start(&self, _: BySide<&'static str>) -> Self {
        Self::default()
    }

    fn diagram(&self, roll: Option<Die>) -> Diagram {
        let piece = |side, letter| Piece { side, label: "●".into(), letter };
        let square = |number| {
            let piece = if self.runners[Side::First].contains(&number) {
                Some(piece(Side::First, 'N'))
            } else if self.runners[Side::Second].contains(&(HOME - number)) {
                Some(piece(Side::Second, 's'))
            } else {
                None
            };
            DiagramSquare { piece, ..DiagramSquare::default() }
        };
        let rolled = roll.map_or(String::new(), |roll| format!(" has rolled {roll}"));
        Diagram {
            columns: (1..HOME).map(|number| number.to_string()).collect(),
            rows: vec![String::new()],
            squares: (1..HOME).map(square).collect(),
            caption: format!("{}{rolled}", Self::SIDES[self.side]),
            style: Style::Tiles,
        }
    }

    /// A runner that is sent back stays in the game.
    fn captured(&self, _: u32) -> Option<char> {
        None
    }

    fn pieces(&self, side: Side) -> Pieces {
        let count = self.runners[side].iter().filter(|&&square| square != HOME).count();
        Pieces { count: count as u32, value: count as i32 }
    }
}

impl Features for Sprint {}

impl Learnable for Sprint {
    type Base = EvenBase;
}

impl Endgame for Sprint {}

impl Catalogued for Sprint {}
