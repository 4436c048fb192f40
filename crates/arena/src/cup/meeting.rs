//! Meetings of participants, and the games in them.

/// The result of a game, as far as the standings need it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameScore {
    /// The points of the meeting's first participant, in halves.
    pub halves: u8,
    /// Which of the two lost by a fault, 0 or 1.
    pub faulted: Option<u8>,
}

/// A meeting of two participants in a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// The round, from 1.
    pub round: u32,
    /// The two participants, by their places in the file, from 0.
    pub players: [usize; 2],
    /// The games that are due so far, in order; `None` for those that have not been played.
    pub games: Vec<Option<GameScore>>,
}

impl Meeting {
    pub(crate) fn new(round: u32, players: [usize; 2], games: u64) -> Self {
        Self { round, players, games: vec![None; games as usize] }
    }

    /// Adds places for more games.
    pub(crate) fn extend(&mut self, games: u64) {
        self.games.resize(self.games.len() + games as usize, None);
    }

    /// The games that have been played.
    pub fn played(&self) -> impl Iterator<Item = GameScore> {
        self.games.iter().flatten().copied()
    }

    /// The points of both participants, in halves.
    pub fn halves(&self) -> [u64; 2] {
        self.played().fold([0, 0], |[one, other], game| {
            [one + u64::from(game.halves), other + u64::from(2 - game.halves)]
        })
    }

    /// Which of the two a participant is, 0 or 1; `None` if it is another one.
    pub fn place(&self, player: usize) -> Option<usize> {
        self.players.iter().position(|&known| known == player)
    }
}
