//! Ratings of the participants of a tournament, from all its games at once.

use wurfel_statistics::{Bootstrap, Clusters, Encounter, Ratings, default_resamples};

use crate::records::mirrored::Unit;

use super::definition::{CupDefinition, CupFormat};
use super::meeting::Meeting;
use super::table::{Rating, Standings};

/// The seed of the resamples, so that the same games always have the same intervals.
const SEED: u64 = 1;

impl Meeting {
    /// The games that have been played, as mirrored pairs where the format has pairs and both games
    /// have been played.
    pub(crate) fn units(&self, format: CupFormat) -> impl Iterator<Item = Unit> {
        let size = if format == CupFormat::Ccgc { 1 } else { 2 };
        self.games.chunks(size).flat_map(|games| match games {
            [Some(one), Some(other)] => vec![Unit::Pair([one.halves, other.halves], None)],
            games => games.iter().flatten().map(|game| Unit::Single(game.halves)).collect(),
        })
    }
}

impl Standings {
    /// The same standings with ratings, which take longer to compute than the rest of the table. They
    /// are left out as long as participants have not met, not even through others, because their ratings
    /// could not be compared.
    #[must_use]
    pub fn with_ratings(mut self, definition: &CupDefinition, meetings: &[Meeting]) -> Self {
        let players = definition.participants.len();
        let encounter = |meeting: &Meeting| {
            let mut encounter = Encounter::new(meeting.players);
            for unit in meeting.units(definition.format) {
                match unit {
                    Unit::Pair([one, other], _) => encounter.pairs[usize::from(one + other)] += 1,
                    Unit::Single(halves) => encounter.singles[usize::from(halves)] += 1,
                }
            }
            encounter
        };
        let encounters: Vec<Encounter> = meetings.iter().map(encounter).collect();
        let ratings = Ratings::of(players, &encounters);
        if ratings.groups().len() > 1 {
            return self;
        }
        let bootstrap =
            Bootstrap::of(&ratings, Clusters::of(&encounters), default_resamples(players), SEED);
        for row in &mut self.rows {
            let (elo, interval) =
                (ratings.elo(row.player), bootstrap.display_interval(&ratings, row.player, None));
            row.rating = Some(Rating { elo, interval });
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::formats::testkit::{cup, play_all};
    use super::*;

    /// The ratings of two participants when the first wins three games out of four.
    fn rated(head: &str) -> [Rating; 2] {
        let definition = cup(head, 2);
        let mut game = 0;
        let meetings = play_all(&definition, |_, _| {
            game += 1;
            if game % 4 == 0 { 0 } else { 2 }
        });
        let standings = Standings::new(&definition, &meetings, true);
        assert_eq!(standings.rows[0].rating, None);
        let standings = standings.with_ratings(&definition, &meetings);
        [0, 1].map(|place| standings.rows[place].rating.unwrap())
    }

    /// Three games of four are 400 · log₁₀ 3 = 190.85 Elo.
    #[test]
    fn ratings_of_two_are_those_of_their_score() {
        let [first, second] = rated("format = 'round-robin'\npairs = 20");
        assert!((first.elo - second.elo - 190.85).abs() < 0.01, "{first:?} {second:?}");
        assert!((first.elo + second.elo).abs() < 1e-9);
        assert!(first.interval.low < first.elo && first.elo < first.interval.high);
    }

    /// In the first round of a Swiss tournament, everybody meets one other.
    #[test]
    fn nobody_is_rated_before_all_have_met_through_others() {
        let definition = cup("format = 'swiss'\npairs = 20\nrounds = 3", 4);
        let meetings = play_all(&definition, |_, _| 2);
        let rated = |meetings: &[Meeting]| {
            let standings = Standings::new(&definition, meetings, false);
            standings
                .with_ratings(&definition, meetings)
                .rows
                .iter()
                .all(|row| row.rating.is_some())
        };
        assert!(!rated(&meetings[..2]));
        assert!(rated(&meetings));
    }

    /// The match ends 4 : 1, and its games are not pairs: 400 · log₁₀ 4 = 240.82 Elo.
    #[test]
    fn single_games_are_rated_too() {
        let [first, second] = rated("format = 'ccgc'");
        assert!((first.elo - second.elo - 240.82).abs() < 0.01, "{first:?} {second:?}");
    }
}
