//! The crosstable of a tournament as championships print it: games won against each other, their
//! sum, and the rank.
//!
//! Tables of championships look like this (paper `zweistein`, table 5). Win rates say more, because
//! they have intervals; sums can be compared with a paper's table.

use wurfel_statistics::MatchTally;

use crate::play::tournament::Pairing;

/// The games that an agent won in a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamesWon {
    /// Games won against each agent, by its index; `None` where they did not meet.
    pub against: Vec<Option<u64>>,
    /// Games won against all agents together.
    pub sum: u64,
    /// 1 for the largest sum. Agents with equal sums share a rank, and the ranks after it are
    /// skipped accordingly.
    pub rank: usize,
}

/// The games that each of `agents` agents won in these pairings. A drawn game counts for neither
/// agent.
pub fn games_won(agents: usize, pairings: &[Pairing]) -> Vec<GamesWon> {
    let mut won: Vec<Vec<Option<u64>>> = vec![vec![None; agents]; agents];
    for Pairing { agents: [one, other], tally: MatchTally { score, .. } } in pairings {
        won[*one][*other] = Some(score.wins);
        won[*other][*one] = Some(score.losses);
    }
    let sums: Vec<u64> = won.iter().map(|row| row.iter().flatten().sum()).collect();
    let rank = |own: u64| 1 + sums.iter().filter(|&&sum| sum > own).count();
    let rows = won.into_iter().zip(&sums);
    rows.map(|(against, &sum)| GamesWon { against, sum, rank: rank(sum) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_statistics::Score;

    /// The games that each player won in TCGA 2023 (paper `zweistein`, table 5), by the number of
    /// the opponent. Each pair of players met for 100 games.
    const TABLE: [[u64; 8]; 8] = [
        [0, 39, 59, 50, 68, 37, 53, 76],
        [61, 0, 73, 49, 57, 53, 53, 83],
        [41, 27, 0, 35, 48, 32, 33, 74],
        [50, 51, 65, 0, 66, 46, 50, 73],
        [32, 43, 52, 34, 0, 38, 46, 62],
        [63, 47, 68, 54, 62, 0, 52, 68],
        [47, 47, 67, 50, 54, 48, 0, 66],
        [24, 17, 26, 27, 38, 32, 34, 0],
    ];

    #[test]
    fn sums_and_ranks_are_those_of_the_paper() {
        let mut pairings = vec![];
        for (one, row) in TABLE.iter().enumerate() {
            for (other, column) in TABLE.iter().enumerate().skip(one + 1) {
                let (wins, losses) = (row[other], column[one]);
                assert_eq!(wins + losses, 100);
                let score = Score { wins, losses, ..Score::default() };
                let tally = MatchTally { score, ..MatchTally::default() };
                pairings.push(Pairing { agents: [one, other], tally });
            }
        }
        let table = games_won(8, &pairings);
        let sums: Vec<u64> = table.iter().map(|won| won.sum).collect();
        assert_eq!(sums, [382, 429, 290, 401, 307, 414, 379, 198]);
        let ranks: Vec<usize> = table.iter().map(|won| won.rank).collect();
        assert_eq!(ranks, [4, 1, 7, 3, 6, 2, 5, 8]);
        assert_eq!((table[5].against[1], table[5].against[5]), (Some(47), None));
    }

    #[test]
    fn equal_sums_share_a_rank() {
        let even = MatchTally {
            score: Score { wins: 5, draws: 2, losses: 5, ..Score::default() },
            ..MatchTally::default()
        };
        let lost = MatchTally {
            score: Score { wins: 1, losses: 11, ..Score::default() },
            ..MatchTally::default()
        };
        let of = |agents, tally: &MatchTally| Pairing { agents, tally: tally.clone() };
        let pairings = [of([0, 1], &even), of([2, 0], &lost), of([2, 1], &lost)];
        let table = games_won(3, &pairings);
        assert_eq!(
            table.iter().map(|won| (won.sum, won.rank)).collect::<Vec<_>>(),
            [(16, 1), (16, 1), (2, 3)]
        );
    }
}
