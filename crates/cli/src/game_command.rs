//! Commands about one game, which are compiled for the type of each game and selected by its name.

use std::io::Write;

use wurfel_agents::{Catalogued, UseGame, with_game};

use crate::Done;

/// A command, generic over the type of the game that it names.
pub trait GameCommand: Sized {
    /// The name of the game.
    fn game(&self) -> &str;

    /// Does the work for game `G` and writes the answer to `out`.
    fn run_for<G: Catalogued>(self, out: &mut dyn Write) -> anyhow::Result<Done>;

    /// Does the work for the game that the command names; an unknown name is an error.
    fn run(self, out: &mut dyn Write) -> anyhow::Result<Done> {
        let game = self.game().to_owned();
        with_game(&game, Run { command: self, out })?
    }
}

struct Run<'a, C> {
    command: C,
    out: &'a mut dyn Write,
}

impl<C: GameCommand> UseGame for Run<'_, C> {
    type Output = anyhow::Result<Done>;

    fn with<G: Catalogued>(self) -> Self::Output {
        self.command.run_for::<G>(self.out)
    }
}
