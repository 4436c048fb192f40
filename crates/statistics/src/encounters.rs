//! Who met whom and with which results: the data from which ratings are made.
//!
//! Strengths are finite only if nobody, and no group, has won everything against the rest.
//! [`Points::connect`] adds the virtual draws that ensure this. Strengths of players who have not met,
//! not even through others, cannot be compared: they belong to different [`Groups`].

/// The games of two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// The players, by their numbers.
    pub players: [usize; 2],
    /// Mirrored pairs by the points that the first player won: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// Games without a partner that the first player lost, drew and won.
    pub singles: [u64; 3],
}

impl Encounter {
    /// Two players who have not met.
    pub const fn new(players: [usize; 2]) -> Self {
        Self { players, pairs: [0; 5], singles: [0; 3] }
    }

    /// The points that each of them won.
    pub fn points(&self) -> [f64; 2] {
        let halves = |counts: &[u64]| {
            counts.iter().zip(0u64..).map(|(count, half)| (count * half) as f64 / 2.0).sum::<f64>()
        };
        let first = halves(&self.pairs) + halves(&self.singles);
        [first, self.games() as f64 - first]
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        2 * self.pairs.iter().sum::<u64>() + self.singles.iter().sum::<u64>()
    }
}

/// The points that players won against each other, as a square table.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Points {
    players: usize,
    /// The points that the row's player won against the column's player.
    won: Vec<f64>,
}

impl Points {
    /// The points of `players` players.
    pub fn of(players: usize, encounters: impl IntoIterator<Item = Encounter>) -> Self {
        let mut points = Self { players, won: vec![0.0; players * players] };
        for encounter in encounters {
            let ([one, other], [first, second]) = (encounter.players, encounter.points());
            if one != other {
                points.won[one * players + other] += first;
                points.won[other * players + one] += second;
            }
        }
        points
    }

    /// Moves points from the second of two players to the first, in their games against each other;
    /// neither falls below 0.
    pub fn shift(&mut self, [one, other]: [usize; 2], by: f64) {
        let met = self.games(one, other);
        let won = (self.won(one, other) + by).clamp(0.0, met);
        self.won[one * self.players + other] = won;
        self.won[other * self.players + one] = met - won;
    }

    /// The points that one player won against another.
    pub fn won(&self, one: usize, other: usize) -> f64 {
        self.won[one * self.players + other]
    }

    /// How many games two players have played against each other.
    pub fn games(&self, one: usize, other: usize) -> f64 {
        self.won(one, other) + self.won(other, one)
    }

    /// The number of players.
    pub const fn players(&self) -> usize {
        self.players
    }

    /// The group of each player, where players belong to the same group if links lead from each to
    /// the other and back.
    fn groups(&self, linked: impl Fn(usize, usize) -> bool) -> Groups {
        let reached = |start: usize, step: &dyn Fn(usize, usize) -> bool| {
            let mut seen = vec![false; self.players];
            let mut waiting = vec![start];
            seen[start] = true;
            while let Some(at) = waiting.pop() {
                for (next, seen) in seen.iter_mut().enumerate() {
                    if !*seen && step(at, next) {
                        *seen = true;
                        waiting.push(next);
                    }
                }
            }
            seen
        };
        let mut groups = vec![usize::MAX; self.players];
        for player in 0..self.players {
            if groups[player] == usize::MAX {
                let there = reached(player, &linked);
                let back = reached(player, &|at, next| linked(next, at));
                for other in (0..self.players).filter(|&other| there[other] && back[other]) {
                    groups[other] = player;
                }
            }
        }
        Groups(groups)
    }

    /// The groups of players who have met, directly or through others.
    pub fn connected_groups(&self) -> Groups {
        self.groups(|one, other| self.games(one, other) > 0.0)
    }

    /// Adds the virtual draws that make all strengths within these groups finite. Returns how many
    /// were added.
    pub fn connect(&mut self, within: &Groups) -> u64 {
        let among = self.groups(|one, other| self.won(one, other) > 0.0);
        let mut draws = self
            .draw(|points, one, other| !among.same(one, other) && points.games(one, other) > 0.0);
        let met = self.connected_groups();
        draws += self.draw(|_, one, other| within.same(one, other) && !met.same(one, other));
        draws
    }

    fn draw(&mut self, between: impl Fn(&Self, usize, usize) -> bool) -> u64 {
        let mut draws = 0;
        for one in 0..self.players {
            for other in one + 1..self.players {
                if between(self, one, other) {
                    self.won[one * self.players + other] += 0.5;
                    self.won[other * self.players + one] += 0.5;
                    draws += 1;
                }
            }
        }
        draws
    }
}

/// The players in groups: for each player, the first player of its group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Groups(Vec<usize>);

impl Groups {
    /// Whether two players are in the same group.
    pub fn same(&self, one: usize, other: usize) -> bool {
        self.0[one] == self.0[other]
    }

    /// The players of each group, in the order of their first players.
    pub fn members(&self) -> Vec<Vec<usize>> {
        let players = 0..self.0.len();
        let firsts = players.clone().filter(|&player| self.0[player] == player);
        firsts.map(|first| players.clone().filter(|&one| self.same(one, first)).collect()).collect()
    }
}
