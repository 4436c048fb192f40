//! The standings of a tournament and its crosstable.

use serde::Serialize;
use wurfel_statistics::{Interval, PlayedGames, PlayedRate, Score};

use super::definition::{CupDefinition, CupFormat, Participant};
use super::formats::{knockout, swiss};
use super::meeting::{GameScore, Meeting};

/// The strength of a participant by the model of Bradley and Terry.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// In Elo; the mean of all participants is 0.
    pub elo: f64,
    /// The 95 % interval, from bootstrap resamples of the pairs.
    pub interval: Interval,
}

/// The results of a participant against another one.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct HeadToHead {
    /// Points, a drawn game counting half.
    pub points: f64,
    /// Games won.
    pub won: u64,
    /// Games played.
    pub games: u64,
    /// Points per game.
    pub rate: f64,
    /// The 95 % interval of the rate.
    pub interval: Interval,
}

/// The row of a participant in the standings.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StandingsRow {
    /// Its place in the file, from 0.
    pub player: usize,
    /// The participant's name, which the file of the tournament gives it.
    pub name: String,
    /// The spec of its agent.
    pub agent: String,
    /// 1 for the best. Equal participants share a rank, and the ranks after it are skipped
    /// accordingly.
    pub rank: usize,
    /// Points for meetings, in formats that have them: 1 for a meeting won, ½ for an even one.
    pub match_points: Option<f64>,
    /// The match points of all opponents together, in a Swiss tournament.
    pub buchholz: Option<f64>,
    /// The round in which it was knocked out; `None` for participants that are still in, and in
    /// other formats.
    pub out: Option<u32>,
    /// Points for games, a drawn game counting half.
    pub points: f64,
    /// Games played.
    pub games: u64,
    /// Games that it won, by the rules or by a fault of its opponent.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games that it lost, those by a fault included.
    pub lost: u64,
    /// Games lost by a fault: a crash, an illegal move, or time.
    pub faults: u64,
    /// Points per game.
    pub rate: f64,
    /// The 95 % interval of the rate, from the variance between pairs of games.
    pub interval: Interval,
    /// The rate in the games that no fault of either side decided; missing where faults decided none
    /// or all of its games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<PlayedRate>,
    /// Its strength, if that was calculated: see [`Standings::with_ratings`].
    pub rating: Option<Rating>,
    /// The results against each row of the table, in its order; `None` where the two have not met.
    pub against: Vec<Option<HeadToHead>>,
}

/// The standings of a tournament after the games so far.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// The title of the tournament.
    pub name: String,
    /// The game, which is the rule set.
    pub game: String,
    /// Who meets whom.
    pub format: CupFormat,
    /// Whether the tournament is over.
    pub complete: bool,
    /// The number of games that have ended, in all meetings together.
    pub games: u64,
    /// The participants, the best first.
    pub rows: Vec<StandingsRow>,
}

/// The games of a participant, seen from its own side.
#[derive(Clone, Copy, Default)]
struct OwnResults {
    won: u64,
    drawn: u64,
    lost: u64,
    faults: u64,
    /// Its pairs; a single game counts as a pair of two equal games.
    units: Score,
    /// Its games that no fault decided.
    played: PlayedGames,
}

impl OwnResults {
    /// Adds a meeting, seen from the participant in place `place`, 0 or 1. With `alone`, as in
    /// `ccgc`, its games are not pairs.
    fn add(&mut self, meeting: &Meeting, place: usize, alone: bool) {
        let own = |halves: u8| if place == 0 { halves } else { 2 - halves };
        for game in meeting.played() {
            match own(game.halves) {
                0 => self.lost += 1,
                1 => self.drawn += 1,
                _ => self.won += 1,
            }
            self.faults += u64::from(game.faulted.is_some_and(|loser| usize::from(loser) == place));
        }
        let by_rules = |game: GameScore| game.faulted.is_none().then(|| own(game.halves));
        if alone {
            for game in meeting.played() {
                self.units.add([own(game.halves); 2]);
                self.played.add([by_rules(game), None]);
            }
            return;
        }
        for pair in meeting.games.chunks(2) {
            let game = |place: usize| pair.get(place).copied().flatten().and_then(by_rules);
            self.played.add([game(0), game(1)]);
        }
        for pair in meeting.games.chunks_exact(2) {
            if let [Some(one), Some(other)] = pair {
                self.units.add([own(one.halves), own(other.halves)]);
            }
        }
    }

    const fn games(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    fn points(&self) -> f64 {
        self.won as f64 + self.drawn as f64 / 2.0
    }

    fn rate(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    fn against(&self) -> Option<HeadToHead> {
        (self.games() > 0).then(|| HeadToHead {
            points: self.points(),
            won: self.won,
            games: self.games(),
            rate: self.rate(),
            interval: self.units.summary().interval,
        })
    }
}

impl Standings {
    /// The standings after the games of these meetings.
    pub fn new(definition: &CupDefinition, meetings: &[Meeting], complete: bool) -> Self {
        let count = definition.participants.len();
        let alone = definition.format == CupFormat::Ccgc;
        let mut all = vec![OwnResults::default(); count];
        let mut pairs = vec![vec![OwnResults::default(); count]; count];
        for meeting in meetings {
            for (place, &player) in meeting.players.iter().enumerate() {
                all[player].add(meeting, place, alone);
                pairs[player][meeting.players[1 - place]].add(meeting, place, alone);
            }
        }
        let scores = match definition.format {
            CupFormat::Swiss => swiss::scores(count, meetings),
            _ => vec![swiss::Score::default(); count],
        };
        let keys: Vec<Vec<f64>> = (0..count)
            .map(|player| key(definition.format, &all[player], scores[player], meetings, player))
            .collect();
        let better = |one: usize, other: usize| keys[one].partial_cmp(&keys[other]);
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&one, &other| better(other, one).unwrap_or(std::cmp::Ordering::Equal));
        let row = |&player: &usize| {
            let mut row = StandingsRow {
                rank: 1 + keys.iter().filter(|key| **key > keys[player]).count(),
                against: order.iter().map(|&other| pairs[player][other].against()).collect(),
                ..StandingsRow::new(player, &definition.participants[player], &all[player])
            };
            let halves = |halves: u64| Some(halves as f64 / 2.0);
            match definition.format {
                CupFormat::Swiss => {
                    row.match_points = halves(scores[player].halves);
                    row.buchholz = halves(scores[player].buchholz);
                }
                CupFormat::Ccgc => row.match_points = Some(match_points(meetings, player)),
                CupFormat::Knockout => row.out = knocked_out(meetings, player),
                CupFormat::RoundRobin | CupFormat::Gauntlet | CupFormat::Tcga => {}
            }
            row
        };
        Self {
            name: definition.name.clone(),
            game: definition.game.clone(),
            format: definition.format,
            complete,
            games: meetings.iter().map(|meeting| meeting.played().count() as u64).sum(),
            rows: order.iter().map(row).collect(),
        }
    }
}

impl StandingsRow {
    /// The row of a participant, without its rank and the figures that only some formats have.
    fn new(player: usize, Participant { name, agent, .. }: &Participant, own: &OwnResults) -> Self {
        Self {
            player,
            name: name.clone(),
            agent: agent.clone(),
            rank: 0,
            match_points: None,
            buchholz: None,
            out: None,
            points: own.points(),
            games: own.games(),
            won: own.won,
            drawn: own.drawn,
            lost: own.lost,
            faults: own.faults,
            rate: own.rate(),
            interval: own.units.summary().interval,
            played: (own.played.games() < own.games()).then(|| own.played.rate()).flatten(),
            rating: None,
            against: vec![],
        }
    }
}

/// The key by which participants are ranked, the most important number first.
fn key(
    format: CupFormat,
    own: &OwnResults,
    score: swiss::Score,
    meetings: &[Meeting],
    player: usize,
) -> Vec<f64> {
    match format {
        CupFormat::RoundRobin | CupFormat::Gauntlet => vec![own.rate()],
        CupFormat::Tcga => vec![own.won as f64],
        CupFormat::Ccgc => vec![match_points(meetings, player), own.rate()],
        CupFormat::Swiss => {
            let swiss::Score { halves, buchholz, games } = score;
            [halves, buchholz, games].map(|number| number as f64).to_vec()
        }
        CupFormat::Knockout => {
            vec![knocked_out(meetings, player).map_or(f64::INFINITY, f64::from)]
        }
    }
}

/// Points for the matches of `ccgc` that have been decided: 1 for reaching 4 points, ½ if the match
/// is even after all seven games.
fn match_points(meetings: &[Meeting], player: usize) -> f64 {
    let points = |meeting: &Meeting| {
        let place = meeting.place(player)?;
        let halves = meeting.halves();
        match (halves[place], halves[1 - place]) {
            (own, _) if own >= 8 => Some(1.0),
            (7, 7) => Some(0.5),
            _ => None,
        }
    };
    // `sum` would return −0 for no numbers.
    meetings.iter().filter_map(points).fold(0.0, |sum, points| sum + points)
}

/// The round in which a participant lost its match in a knockout. A match counts once a later round
/// has been paired, or once all of its games have been played.
fn knocked_out(meetings: &[Meeting], player: usize) -> Option<u32> {
    let last = meetings.iter().map(|meeting| meeting.round).max()?;
    let own = meetings.iter().rfind(|meeting| meeting.place(player).is_some())?;
    let over = own.round < last || own.games.iter().all(Option::is_some);
    (over && knockout::winner(own) != player).then_some(own.round)
}

#[cfg(test)]
mod tests {
    use super::super::formats::testkit::{by_seeding, cup, play_all};
    use super::*;
    use wurfel_core::Random;

    fn standings(head: &str, count: usize, halves: impl FnMut([usize; 2], u32) -> u8) -> Standings {
        let definition = cup(head, count);
        Standings::new(&definition, &play_all(&definition, halves), true)
    }

    fn ranks(standings: &Standings) -> Vec<(usize, usize)> {
        standings.rows.iter().map(|row| (row.player, row.rank)).collect()
    }

    /// Paper `zweistein`, table 5: games won by each player of TCGA 2023, their sums and ranks.
    #[test]
    fn tcga_counts_as_the_paper_does() {
        const WON: [[u8; 8]; 8] = [
            [0, 39, 59, 50, 68, 37, 53, 76],
            [61, 0, 73, 49, 57, 53, 53, 83],
            [41, 27, 0, 35, 48, 32, 33, 74],
            [50, 51, 65, 0, 66, 46, 50, 73],
            [32, 43, 52, 34, 0, 38, 46, 62],
            [63, 47, 68, 54, 62, 0, 52, 68],
            [47, 47, 67, 50, 54, 48, 0, 66],
            [24, 17, 26, 27, 38, 32, 34, 0],
        ];
        let mut games = [[0; 8]; 8];
        let table = standings("format = 'tcga'", 8, |[one, other], _| {
            games[one][other] += 1;
            if games[one][other] <= WON[one][other] { 2 } else { 0 }
        });
        assert_eq!(ranks(&table), [(1, 1), (5, 2), (3, 3), (0, 4), (6, 5), (4, 6), (2, 7), (7, 8)]);
        let sums: Vec<u64> = table.rows.iter().map(|row| row.won).collect();
        assert_eq!(sums, [429, 414, 401, 382, 379, 307, 290, 198]);
        let against = table.rows[0].against[1].unwrap();
        assert_eq!((against.won, against.games), (53, 100));
        assert_eq!(table.rows[0].against[0], None);
    }

    #[test]
    fn a_knockout_ranks_by_how_far_everybody_came() {
        let table = standings("format = 'knockout'\npairs = 1", 6, by_seeding);
        assert_eq!(ranks(&table), [(0, 1), (1, 2), (2, 3), (3, 3), (4, 5), (5, 5)]);
        assert_eq!(
            table.rows.iter().map(|row| row.out).collect::<Vec<_>>()[..3],
            [None, Some(3), Some(2)]
        );
    }

    #[test]
    fn equal_scores_share_a_rank_and_swiss_ranks_by_match_points_first() {
        let even = standings("format = 'round-robin'\npairs = 2", 3, |_, _| 1);
        assert_eq!(ranks(&even), [(0, 1), (1, 1), (2, 1)]);
        let table = standings("format = 'swiss'\npairs = 1\nrounds = 3", 8, by_seeding);
        let points: Vec<_> = table.rows.iter().map(|row| row.match_points.unwrap()).collect();
        assert_eq!(points, [3.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 0.0]);
        assert_eq!((table.rows[0].player, table.rows[0].buchholz), (0, Some(5.0)));
    }

    #[test]
    fn a_match_of_seven_counts_as_one_and_games_decide_among_equals() {
        // The first participant loses its match against the third by three games to four.
        let mut games = 0;
        let table = standings("format = 'ccgc'", 3, |players, _| match players {
            [0, 2] => {
                games += 1;
                if games % 2 == 0 { 2 } else { 0 }
            }
            [0, 1] | [1, 2] => 2,
            _ => 0,
        });
        let points: Vec<_> =
            table.rows.iter().map(|row| (row.player, row.match_points.unwrap())).collect();
        // They have won 7 of 11 games, 4 of 8, and 4 of 11.
        assert_eq!(points, [(0, 1.0), (1, 1.0), (2, 1.0)]);
        assert_eq!(table.rows.iter().map(|row| row.points).collect::<Vec<_>>(), [7.0, 4.0, 4.0]);
    }

    /// Whatever happens, all participants together have one point for each game.
    #[test]
    fn every_game_gives_one_point() {
        let mut random = Random::new(5);
        for head in [
            "format = 'round-robin'\npairs = 3",
            "format = 'gauntlet'\npairs = 2",
            "format = 'ccgc'",
        ] {
            let table = standings(head, 5, |_, _| random.below(3) as u8);
            let points: f64 = table.rows.iter().map(|row| row.points).sum();
            assert!((points - table.games as f64).abs() < 1e-9, "{head}: {points}");
            for row in &table.rows {
                let met: u64 = row.against.iter().flatten().map(|against| against.games).sum();
                assert_eq!(met, row.games);
                assert!(row.interval.low <= row.rate && row.rate <= row.interval.high);
            }
        }
    }
}
