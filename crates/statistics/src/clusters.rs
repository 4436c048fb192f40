//! Results that share their dice, for statistics that must know which results depend on each other.
//!
//! The two games of a mirrored pair have the same dice, and so have the pairs of the same number in
//! matches with the same seed, whoever plays in them. Such results form a *cluster*. Clusters are
//! independent of each other, so they are what resampling draws.

use std::collections::HashMap;

use crate::encounters::Encounter;

/// What one pair, or one game without a partner, has added to an encounter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Contribution {
    /// The index of the encounter.
    encounter: u32,
    /// 0 to 4 for a pair, the half points of the first player; 5 to 7 for a game
    /// without a partner that the first player lost, drew or won.
    kind: u8,
}

/// The results between players as independent clusters, where equal clusters are only counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clusters {
    /// The players of each encounter.
    players: Vec<[usize; 2]>,
    /// The sorted contents of a cluster, and the number of clusters with these contents.
    counts: Vec<(Vec<Contribution>, u64)>,
}

/// The name of a cluster: the seed of the dice and the number of the pair. Results without one are
/// clusters of their own.
pub type ClusterName = Option<(u64, u64)>;

impl Contribution {
    /// The index of the encounter.
    pub const fn encounter(self) -> usize {
        self.encounter as usize
    }

    /// Whether this is a pair.
    pub const fn is_pair(self) -> bool {
        self.kind < 5
    }

    /// The number of games, and the points of the first player in them.
    pub fn points(self) -> (f64, f64) {
        let half = f64::from(self.kind) / 2.0;
        if self.is_pair() { (2.0, half) } else { (1.0, half - 2.5) }
    }
}

/// A result by itself.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct NamedResult {
    name: ClusterName,
    pub added: Contribution,
    /// The mean luck of the first player in the games of a pair, where it was measured.
    pub luck: Option<f64>,
}

impl NamedResult {
    /// Whether two results belong to the same cluster.
    pub fn shares(&self, other: &Self) -> bool {
        self.name.is_some() && self.name == other.name
    }
}

/// Collects results by cluster.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClusterBuilder {
    /// The results that have a name, and the pairs whose luck was measured.
    named: Vec<NamedResult>,
    alone: HashMap<Contribution, u64>,
}

impl ClusterBuilder {
    /// Adds a pair with 0 to 4 half points for the first player of an encounter, and
    /// with the luck of that player.
    pub fn add_pair(
        &mut self,
        name: ClusterName,
        encounter: usize,
        halves: usize,
        luck: Option<f64>,
    ) {
        self.add(name, Contribution { encounter: encounter as u32, kind: halves as u8 }, luck);
    }

    /// Adds a game without a partner, with 0 to 2 half points for the first player.
    pub fn add_single(&mut self, name: ClusterName, encounter: usize, halves: usize) {
        self.add(name, Contribution { encounter: encounter as u32, kind: 5 + halves as u8 }, None);
    }

    /// Adds all results of an encounter, each as a cluster of its own.
    pub fn add_all(&mut self, place: usize, encounter: &Encounter) {
        let counts = encounter.pairs.iter().chain(&encounter.singles);
        for (kind, &count) in (0..).zip(counts).filter(|(_, count)| **count > 0) {
            *self.alone.entry(Contribution { encounter: place as u32, kind }).or_default() += count;
        }
    }

    fn add(&mut self, name: ClusterName, added: Contribution, luck: Option<f64>) {
        if name.is_some() || luck.is_some() {
            self.named.push(NamedResult { name, added, luck });
        } else {
            *self.alone.entry(added).or_default() += 1;
        }
    }

    /// The results that are stored one by one, sorted so that each cluster is a
    /// [chunk](NamedResult::shares) of them.
    pub(crate) fn named(&self) -> Vec<NamedResult> {
        let mut named = self.named.clone();
        named.sort_by_key(|of| (of.name, of.added.encounter));
        named
    }

    /// All other results, each of which is a cluster of its own, with their numbers.
    pub(crate) fn alone(&self) -> impl Iterator<Item = (Contribution, u64)> {
        self.alone.iter().map(|(&added, &count)| (added, count))
    }

    /// The clusters of what was added between these players.
    pub fn clusters(&self, encounters: &[Encounter]) -> Clusters {
        let mut counts: HashMap<Vec<Contribution>, u64> = HashMap::new();
        for cluster in self.named().chunk_by(NamedResult::shares) {
            let mut added: Vec<Contribution> = cluster.iter().map(|of| of.added).collect();
            added.sort_unstable();
            *counts.entry(added).or_default() += 1;
        }
        for (added, count) in self.alone() {
            *counts.entry(vec![added]).or_default() += count;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        // The resamples must not depend on the order of a hash table.
        counts.sort_unstable();
        Clusters { players: encounters.iter().map(|encounter| encounter.players).collect(), counts }
    }
}

impl Clusters {
    /// The results of these encounters, each pair and each single game as a cluster of its own.
    pub fn of(encounters: &[Encounter]) -> Self {
        let mut builder = ClusterBuilder::default();
        for (place, encounter) in encounters.iter().enumerate() {
            builder.add_all(place, encounter);
        }
        builder.clusters(encounters)
    }

    /// How often each kind of cluster occurs.
    pub(crate) fn counts(&self) -> impl Iterator<Item = u64> + Clone {
        self.counts.iter().map(|(_, count)| *count)
    }

    /// The results if each kind of cluster had occurred as often as these counts say.
    pub(crate) fn encounters(&self, counts: &[u64]) -> Vec<Encounter> {
        let mut encounters: Vec<_> = self.players.iter().copied().map(Encounter::new).collect();
        for ((added, _), &count) in self.counts.iter().zip(counts) {
            for &Contribution { encounter, kind } in added {
                let encounter = &mut encounters[encounter as usize];
                match usize::from(kind) {
                    halves @ ..5 => encounter.pairs[halves] += count,
                    kind => encounter.singles[kind - 5] += count,
                }
            }
        }
        encounters
    }

    /// The number of clusters in which one of these players played.
    pub(crate) fn about(&self, players: &[usize]) -> u64 {
        let plays = |added: &Contribution| {
            let [one, other] = self.players[added.encounter as usize];
            one != other && (players.contains(&one) || players.contains(&other))
        };
        let about = self.counts.iter().filter(|(added, _)| added.iter().any(plays));
        about.map(|(_, count)| count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_with_one_name_stay_together() {
        let mut encounters = [Encounter::new([0, 1]), Encounter::new([0, 2])];
        let mut builder = ClusterBuilder::default();
        for (pair, halves) in [(0, [4, 3]), (1, [4, 3]), (2, [2, 0])] {
            for (place, encounter) in encounters.iter_mut().enumerate() {
                builder.add_pair(Some((7, pair)), place, halves[place], None);
                encounter.pairs[halves[place]] += 1;
            }
        }
        builder.add_single(None, 1, 2);
        encounters[1].singles[2] += 1;
        let clusters = builder.clusters(&encounters);
        let mut counts: Vec<u64> = clusters.counts().collect();
        assert_eq!(clusters.encounters(&counts), encounters);
        counts.sort_unstable();
        assert_eq!(counts, [1, 1, 2]);
        assert_eq!((clusters.about(&[0]), clusters.about(&[1]), clusters.about(&[2])), (4, 3, 4));
        // A pair whose luck is known and that has no name is alone.
        builder.add_pair(None, 1, 0, Some(0.1));
        builder.add_pair(None, 1, 0, Some(0.2));
        assert_eq!(builder.clusters(&encounters).counts().sum::<u64>(), 6);
        // Without the names there are six pairs and a game.
        let apart = Clusters::of(&encounters);
        assert_eq!(apart.counts().sum::<u64>(), 7);
        assert_eq!(apart.encounters(&apart.counts().collect::<Vec<_>>()), encounters);
    }
}
