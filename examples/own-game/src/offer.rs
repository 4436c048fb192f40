//! What the arena needs of the game: names, its set-up, its evaluations, a picture.

use wurfel_agents::Catalogued;
use wurfel_core::{
    BySide, Diagram, DiagramSquare, Endgame, Features, Game, Preference, Side, Style, Turn,
};
use wurfel_games::learned::EvenBase;
use wurfel_games::{Choice, Learnable, Pieces, Playable, UseEvaluation};

use crate::Distance;
use crate::game::{Die, HOME, Runner, Sprint};

/// The basic agent likes to send runners back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bully;

impl Preference<Sprint> for Bully {
    fn rate(&self, turn: Turn<'_, Sprint>, mv: Runner) -> i32 {
        i32::from(turn.position.captured_by(turn.roll, mv))
    }
}

impl Sprint {
    fn captured_by(&self, roll: Die, mv: Runner) -> bool {
        let mut next = *self;
        let _ = next.play(roll, mv);
        next.runners[!self.side] != self.runners[!self.side]
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

    type Basic = Bully;

    fn evaluation<U: UseEvaluation<Self>>(name: &str, user: U) -> Option<U::Output> {
        (name == "distance").then(|| user.with(Distance))
    }

    /// There is one way to begin.
    type Setup = &'static str;

    fn setups() -> &'static [&'static str] {
        &["start"]
    }

    fn start(_: BySide<&'static str>) -> Self {
        Self::default()
    }

    fn diagram(&self, roll: Option<Die>) -> Diagram {
        let square = |number: usize| {
            let standing = Side::BOTH.into_iter().find(|&side| {
                let own = if side == Side::First { number + 1 } else { 12 - number };
                self.runners[side].contains(&(own as u8))
            });
            let piece = standing.map(|side| wurfel_core::Piece {
                side,
                label: "●".into(),
                letter: if side == Side::First { 'N' } else { 's' },
            });
            DiagramSquare { piece, ..DiagramSquare::default() }
        };
        let rolled = roll.map_or(String::new(), |roll| format!(" has rolled {roll}"));
        Diagram {
            columns: (1..=12).map(|number| number.to_string()).collect(),
            rows: vec![String::new()],
            squares: (0..12).map(square).collect(),
            caption: format!("{}{rolled}", Self::SIDES[self.side]),
            style: Style::default(),
        }
    }

    fn captured(&self, _: Runner) -> Option<char> {
        None
    }

    fn pieces(&self, side: Side) -> Pieces {
        let running = self.runners[side].iter().filter(|&&square| square != HOME).count();
        Pieces { count: running as u32, value: running as i32 }
    }
}

// Nothing can be trained on it, and no endgame tables are built.
impl Features for Sprint {}
impl Endgame for Sprint {}

impl Learnable for Sprint {
    type Base = EvenBase;
}

impl Catalogued for Sprint {}
