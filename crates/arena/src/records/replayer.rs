//! Plays the games of records again, whatever game they belong to, so that files of results must follow
//! the same rules as games that are reviewed.

use wurfel_agents::{Catalogued, UseGame, searches, with_game};
use wurfel_core::UnknownName;
use wurfel_statistics::Sides;

use crate::records::record::GameRecord;
use crate::records::recorded_game::{plain, replay_record};
use crate::study::luck::LuckMeter;

/// How closely the games of a file of results are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CheckLevel {
    /// Their results are trusted, which takes a fraction of the time.
    Trusted,
    /// They are played again: their moves must be legal, and what the file says about them must follow
    /// from the moves.
    #[default]
    Replayed,
    /// They are played again, and the luck of their rolls is measured where an agent searches, as a
    /// match does.
    LuckOfSearches,
    /// They are played again, and the luck of their rolls is measured.
    Luck,
}

/// Plays the game of a line again; returns the luck of agent 0 of the record, if it is measured.
pub(super) type Replayer = Box<dyn Fn(&[u8]) -> Result<Option<f64>, String> + Send + Sync>;

impl CheckLevel {
    /// What plays the games again of a file of this game with these agents; `None` where they are
    /// trusted. `pairs` is the number of pairs in the file's header, if it names one.
    pub(super) fn replayer(
        self,
        game: &str,
        specs: &[&str],
        pairs: Option<u64>,
    ) -> Result<Option<Replayer>, UnknownName> {
        let search =
            || specs.iter().filter_map(|spec| spec.parse().ok()).any(|spec| searches(&spec));
        let luck = match self {
            Self::Trusted => return Ok(None),
            Self::Replayed => false,
            Self::LuckOfSearches => search(),
            Self::Luck => true,
        };
        with_game(game, Making { luck, pairs }).map(Some)
    }
}

/// Makes a replayer for the game that it is given.
struct Making {
    luck: bool,
    pairs: Option<u64>,
}

impl UseGame for Making {
    type Output = Replayer;

    fn with<G: Catalogued>(self, rules: &G) -> Replayer {
        let rules = rules.clone();
        let meter = self.luck.then(LuckMeter::<G>::default_for_game);
        Box::new(move |line| {
            let record: GameRecord = serde_json::from_slice(line).map_err(|error| plain(&error))?;
            let recorded_game = replay_record(&rules, &record, &Default::default(), self.pairs)?;
            let sides = Sides { first: usize::from(record.first) };
            Ok(meter.as_ref().map(|meter| sides.for_agent(meter.game(&recorded_game.game))))
        })
    }
}
