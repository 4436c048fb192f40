//! A chance node in the search: what is known about its moves, and the window in which their values
//! still matter.

use wurfel_core::{Fan, FanRoll, Game};

use crate::window::Window;

/// The bounds that a value is known to lie between.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Span {
    pub low: f32,
    pub high: f32,
}

impl Span {
    pub const ANY: Self = Self { low: 0.0, high: 1.0 };
}

/// An end of a turn.
pub(super) struct Child<G: Game> {
    pub position: G,
    /// What is known about the value for the side whose turn ended here.
    pub span: Span,
}

/// How an end of a turn looks before it is searched.
pub(super) struct Look {
    /// The evaluation for the side whose turn ended here.
    pub value: f32,
    /// What is known about the value for that side.
    pub span: Span,
    /// The index of the end in its group.
    pub place: u32,
}

/// Sorts looks, the best first. It knows no game, so that it is compiled once for all.
pub(super) fn best_first(looks: &mut [Look]) {
    looks.sort_by(|one, other| other.value.total_cmp(&one.value));
}

/// A position whose rolls are searched.
pub(super) struct Node<G: Game> {
    pub fan: Fan<G>,
    /// The ends of the fan, sorted within each group.
    pub children: Vec<Child<G>>,
    /// The bounds on the best end of each group.
    pub groups: Vec<Span>,
    /// A buffer for the ends of a group.
    pub looks: Vec<Look>,
    /// A buffer for `window_of`.
    parts: Vec<(f32, Span)>,
}

impl<G: Game> Default for Node<G> {
    fn default() -> Self {
        Self { fan: Fan::default(), children: vec![], groups: vec![], looks: vec![], parts: vec![] }
    }
}

impl<G: Game> Node<G> {
    /// The bounds on the value of a roll that allows these groups.
    fn span(&self, groups: u64) -> Span {
        let mut span = Span { low: 0.0, high: 0.0 };
        let mut left = groups;
        while left != 0 {
            let Span { low, high } = self.groups[left.trailing_zeros() as usize];
            span = Span { low: span.low.max(low), high: span.high.max(high) };
            left &= left - 1;
        }
        span
    }

    /// The bounds on the mean over the rolls.
    pub fn mean(&self) -> Span {
        let (mut low, mut high, mut chances) = (0.0, 0.0, 0);
        for &roll in self.fan.rolls() {
            let span = self.span(roll.groups);
            low += roll.weight as f32 * span.low;
            high += roll.weight as f32 * span.high;
            chances += roll.weight;
        }
        Span { low: low / chances as f32, high: high / chances as f32 }
    }

    /// The window in which the value of a group matters. With a value at its alpha or below, the
    /// mean is at most `window.alpha`, and at its beta or above at least `window.beta`, whatever
    /// the values of the other groups turn out to be.
    pub fn window_of(&mut self, group: usize, window: Window) -> Window {
        let mut parts = std::mem::take(&mut self.parts);
        parts.clear();
        let mut chances = 0;
        // The contribution of the rolls that do not allow the group.
        let mut fixed = Span { low: 0.0, high: 0.0 };
        for &FanRoll { weight, groups } in self.fan.rolls() {
            chances += weight;
            let weight = weight as f32;
            let others = self.span(groups & !(1 << group));
            if groups >> group & 1 == 1 {
                parts.push((weight, others));
            } else {
                fixed.low += weight * others.low;
                fixed.high += weight * others.high;
            }
        }
        let chances = chances as f32;
        let window = Window {
            alpha: solve(window.alpha * chances - fixed.high, &parts, |others| others.high),
            beta: solve(window.beta * chances - fixed.low, &parts, |others| others.low),
        };
        self.parts = parts;
        window
    }
}

/// The v for which the sum of weight · max(v, floor) over the parts is `goal`, where `floor`
/// returns one of a part's bounds. Below the smallest floor the sum would be constant; there it is
/// continued as if that floor were lower, so that a goal that cannot be reached gives a v below all
/// floors.
#[inline(always)]
fn solve(goal: f32, parts: &[(f32, Span)], floor: impl Fn(Span) -> f32) -> f32 {
    let mut ceiling = f32::INFINITY;
    loop {
        // Parts with a floor below the ceiling change with v, the others are constant.
        let (mut moving, mut rest, mut highest) = (0.0, goal, f32::NEG_INFINITY);
        for &(weight, others) in parts {
            let floor = floor(others);
            if floor < ceiling {
                moving += weight;
                highest = highest.max(floor);
            } else {
                rest -= weight * floor;
            }
        }
        if moving == 0.0 {
            return if rest < 0.0 { f32::NEG_INFINITY } else { ceiling };
        }
        let v = rest / moving;
        if v >= highest {
            return v;
        }
        ceiling = highest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wurfel_core::Literal;

    /// Three groups. A roll of weight 2 allows the first one only, one of weight 3 the first or the
    /// second, and one of weight 1 the third.
    fn node(groups: [(f32, f32); 3]) -> Node<Literal> {
        let mut node = Node::<Literal>::default();
        for _ in 0..3 {
            node.fan.close_group();
        }
        for (weight, groups) in [(2, 0b001), (3, 0b011), (1, 0b100)] {
            node.fan.add_roll(weight, groups);
        }
        node.groups = groups.map(|(low, high)| Span { low, high }).to_vec();
        node
    }

    #[test]
    fn at_the_ends_of_its_window_a_group_decides() {
        let cases = [
            ([(0.0, 1.0), (0.0, 1.0), (0.0, 1.0)], (0.4, 0.6)),
            ([(0.0, 1.0), (0.3, 0.5), (0.2, 0.9)], (0.4, 0.6)),
            ([(0.0, 1.0), (0.9, 0.9), (0.0, 0.0)], (0.6, 0.7)),
            ([(0.1, 0.8), (0.5, 0.5), (1.0, 1.0)], (0.5, 0.5)),
        ];
        for (groups, (alpha, beta)) in cases {
            let window = Window { alpha, beta };
            for group in 0..3 {
                let part = node(groups).window_of(group, window);
                let with = |value: f32| {
                    let mut known = node(groups);
                    known.groups[group] = Span { low: value, high: value };
                    known.mean()
                };
                let at = format!("{groups:?}, group {group}: {part:?}");
                if (0.0..=1.0).contains(&part.alpha) {
                    assert!((with(part.alpha).high - alpha).abs() < 1e-5, "{at}");
                }
                if (0.0..=1.0).contains(&part.beta) {
                    assert!((with(part.beta).low - beta).abs() < 1e-5, "{at}");
                }
                // The bound cannot be reached: no value of the group is low enough.
                assert!(part.alpha >= 0.0 || with(0.0).high > alpha - 1e-5, "{at}");
                assert!(part.beta <= 1.0 || with(1.0).low < beta + 1e-5, "{at}");
            }
        }
    }
}
