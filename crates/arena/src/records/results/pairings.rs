//! The results in the file of a round robin, a line for each pairing.

use std::io::BufRead;

use serde::Deserialize;
use wurfel_statistics::{Encounter, PlayedGames, Score};

use super::lines::{MissingResults, each_line};
use super::{Results, ResultsError};
use crate::records::recorded_game::plain;

/// The fields that a line of a tournament of matches must have for a pairing.
#[derive(Deserialize)]
struct Pairing {
    agents: [usize; 2],
    score: Score,
    #[serde(default)]
    faults: [[u64; 3]; 2],
    played: Option<PlayedGames>,
}

/// The largest number of games of a pairing, so that sums over pairings stay in range.
const MAX_GAMES: u64 = 1 << 41;

impl Results {
    pub(super) fn add_tournament(
        &mut self,
        file: impl BufRead,
        origin: u64,
        players: &[usize],
        pairs: u64,
    ) -> Result<(Option<MissingResults>, bool), ResultsError> {
        let mut games = 0;
        let whole = each_line(file, self.jobs, None, |text, _| {
            games += self.add_pairing(origin, players, text)?;
            Ok(true)
        })?;
        let count = players.len() as u64;
        let of = (count * count.saturating_sub(1)).saturating_mul(pairs);
        Ok(((games < of).then_some(MissingResults::Games { found: games, of }), whole))
    }

    /// Adds the pairing of a tournament, and returns the number of its games.
    fn add_pairing(&mut self, origin: u64, players: &[usize], text: &[u8]) -> Result<u64, String> {
        let Pairing { agents, score, faults, played } =
            serde_json::from_slice(text).map_err(|error| plain(&error))?;
        self.once(&(origin, agents, score.pairs))?;
        let known = agents.map(|agent| players.get(agent).copied());
        let [Some(one), Some(other)] = known else {
            return Err(format!("expected two agents below {}", players.len()));
        };
        let pairs = score.pairs;
        if !score.is_possible() {
            return Err("expected as many games and points as the pairs have".to_owned());
        }
        if !score.allows(&faults) {
            return Err("expected at most as many faults as games lost".to_owned());
        }
        let faults: u64 = faults.iter().flatten().sum();
        let all = PlayedGames { pairs, singles: [0; 3] };
        let counted = match played.filter(|played| played.fits(score.games(), faults)) {
            Some(played) if self.skips_faults => played,
            None if self.skips_faults && faults > 0 => {
                return Err(format!(
                    "{faults} games were lost by faults, and 'played' does not say which pairs are \
                     left without them: expected that they count"
                ));
            }
            _ => all,
        };
        self.lost_by_fault += faults;
        if score.games() > MAX_GAMES {
            return Err(format!("expected at most {MAX_GAMES} games"));
        }
        let (place, turned) = self.encounter([one, other]);
        let mut played = Encounter::new([one, other]);
        (played.pairs, played.singles) = (counted.pairs, counted.singles);
        if turned {
            played.pairs.reverse();
            played.singles.reverse();
        }
        self.clusters.add_all(place, &played);
        let Encounter { pairs, singles, .. } = &mut self.encounters[place];
        let more = played.pairs.into_iter().chain(played.singles);
        for (all, more) in pairs.iter_mut().chain(singles).zip(more) {
            *all += more;
        }
        Ok(score.games())
    }
}
