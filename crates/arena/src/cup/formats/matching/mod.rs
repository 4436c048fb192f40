//! Pairs everybody with somebody at the least cost, and among the pairings of that cost takes the
//! one that suits those at the top best.
//!
//! A greedy pairing from the top can leave participants at the bottom who should not meet. So each
//! pair is taken only if the others can still be paired at the least cost of all. That cost is the
//! one of a perfect matching of the least weight, which Edmonds' algorithm finds (J. Edmonds,
//! *Maximum matching and a polyhedron with 0,1-vertices*, 1965), here in the form for dense graphs
//! with a time proportional to the cube of their size (Z. Galil, *Efficient algorithms for finding
//! maximum matching in graphs*, 1986). Branch and bound would be shorter, but its time can explode
//! in exactly the late rounds that need it.

use std::collections::VecDeque;

/// The largest cost of a pair, with which the duals of all pairs stay far from overflowing.
pub const MAX_COST: u64 = 1 << 48;

/// No vertex.
const NONE: usize = 0;

/// What the search for an augmenting path knows of a vertex or blossom.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    /// Not reached.
    Free,
    /// Reached at an even distance from a single vertex.
    Outer,
    /// Reached at an odd distance.
    Inner,
}

/// An edge between two vertices; a weight of 0 stands for no edge.
#[derive(Clone, Copy)]
struct Edge {
    from: usize,
    to: usize,
    weight: i64,
}

/// The state of Edmonds' algorithm. Vertices have the numbers from 1, and blossoms those after
/// them; both are called nodes. A node that is part of no other blossom is on top.
struct Edmonds {
    vertices: usize,
    /// The largest number of a node so far.
    nodes: usize,
    /// The edge of the least slack between each two nodes.
    edges: Vec<Vec<Edge>>,
    duals: Vec<i64>,
    /// The vertex with which a node is matched.
    mates: Vec<usize>,
    /// For each node on top that is no outer one, the outer vertex with the edge of least slack.
    nearest: Vec<usize>,
    /// The node on top that a node is part of; `NONE` for a number that is not in use.
    tops: Vec<usize>,
    /// The vertex from which a node was reached.
    parents: Vec<usize>,
    labels: Vec<Label>,
    /// The nodes of each blossom along its cycle, from its base on.
    cycles: Vec<Vec<usize>>,
    /// For each blossom and vertex, the node of its cycle that holds the vertex.
    holders: Vec<Vec<usize>>,
    waiting: VecDeque<usize>,
}

impl Edmonds {
    /// Finds the mates, from 0, in a matching of the largest weight. All weights must be positive.
    fn mates(vertices: usize, weight: impl Fn(usize, usize) -> i64) -> Vec<usize> {
        let size = vertices + vertices / 2 + 1;
        let is_vertex = |node: usize| (1..=vertices).contains(&node);
        let edge = |from: usize, to: usize| {
            let is_edge = from != to && is_vertex(from) && is_vertex(to);
            let weight = if is_edge { weight(from - 1, to - 1) } else { 0 };
            Edge { from, to, weight }
        };
        let row = |from: usize| -> Vec<Edge> { (0..size).map(|to| edge(from, to)).collect() };
        let edges: Vec<Vec<Edge>> = (0..size).map(row).collect();
        let largest = edges.iter().flatten().map(|edge| edge.weight).max().unwrap_or_default();
        let mut holders = vec![vec![NONE; vertices + 1]; size];
        for (node, row) in holders.iter_mut().enumerate().take(vertices + 1) {
            row[node] = node;
        }
        let mut search = Self {
            vertices,
            nodes: vertices,
            edges,
            duals: (0..size).map(|node| if node <= vertices { largest } else { 0 }).collect(),
            mates: vec![NONE; size],
            nearest: vec![NONE; size],
            tops: (0..size).map(|node| if node <= vertices { node } else { NONE }).collect(),
            parents: vec![NONE; size],
            labels: vec![Label::Free; size],
            cycles: vec![vec![]; size],
            holders,
            waiting: VecDeque::new(),
        };
        while search.augment() {}
        search.mates[1..=vertices].iter().map(|&mate| mate - 1).collect()
    }

    /// By how much the duals of an edge exceed its weight; an edge is tight at 0.
    fn slack(&self, edge: Edge) -> i64 {
        self.duals[edge.from] + self.duals[edge.to] - 2 * self.edges[edge.from][edge.to].weight
    }

    fn offer(&mut self, outer: usize, node: usize) {
        let known = self.nearest[node];
        if known == NONE
            || self.slack(self.edges[outer][node]) < self.slack(self.edges[known][node])
        {
            self.nearest[node] = outer;
        }
    }

    fn find_nearest(&mut self, node: usize) {
        self.nearest[node] = NONE;
        for vertex in 1..=self.vertices {
            let top = self.tops[vertex];
            let has_edge = self.edges[vertex][node].weight > 0;
            if has_edge && top != node && self.labels[top] == Label::Outer {
                self.offer(vertex, node);
            }
        }
    }

    /// Queues all vertices of a node, whose edges are examined later.
    fn await_turn(&mut self, node: usize) {
        if node <= self.vertices {
            self.waiting.push_back(node);
            return;
        }
        for part in self.cycles[node].clone() {
            self.await_turn(part);
        }
    }

    fn set_top(&mut self, node: usize, top: usize) {
        self.tops[node] = top;
        if node > self.vertices {
            for part in self.cycles[node].clone() {
                self.set_top(part, top);
            }
        }
    }

    /// The place of a part in a blossom's cycle, which is turned round if necessary so that the way
    /// to it from the base has an even length.
    fn even_place(&mut self, blossom: usize, part: usize) -> usize {
        let cycle = &mut self.cycles[blossom];
        let place = cycle.iter().position(|&node| node == part).unwrap_or_default();
        if place % 2 == 0 {
            return place;
        }
        cycle[1..].reverse();
        cycle.len() - place
    }

    /// Matches a node along its edge to another one, and the rest of its cycle in itself.
    fn set_mate(&mut self, node: usize, other: usize) {
        let edge = self.edges[node][other];
        self.mates[node] = edge.to;
        if node <= self.vertices {
            return;
        }
        let part = self.holders[node][edge.from];
        let place = self.even_place(node, part);
        for n in 0..place {
            let (one, next) = (self.cycles[node][n], self.cycles[node][n ^ 1]);
            self.set_mate(one, next);
        }
        self.set_mate(part, other);
        self.cycles[node].rotate_left(place);
    }

    /// Exchanges matched and other edges from a node to the root of its tree, and matches the node
    /// with the other one.
    fn flip_path(&mut self, mut node: usize, mut other: usize) {
        loop {
            let next = self.tops[self.mates[node]];
            self.set_mate(node, other);
            if next == NONE {
                return;
            }
            let parent = self.tops[self.parents[next]];
            self.set_mate(next, parent);
            (node, other) = (parent, next);
        }
    }

    /// The outer nodes from an outer one to the root of its tree.
    fn way_to_root(&self, mut node: usize) -> Vec<usize> {
        let mut way = vec![node];
        while self.mates[node] != NONE {
            node = self.tops[self.parents[self.tops[self.mates[node]]]];
            way.push(node);
        }
        way
    }

    /// Makes a blossom of the odd cycle that two outer nodes close with their ways to `base`.
    fn add_blossom(&mut self, one: usize, base: usize, other: usize) {
        let unused = (self.vertices + 1..=self.nodes).find(|&node| self.tops[node] == NONE);
        let blossom = unused.unwrap_or(self.nodes + 1);
        self.nodes = self.nodes.max(blossom);
        self.duals[blossom] = 0;
        self.labels[blossom] = Label::Outer;
        self.mates[blossom] = self.mates[base];
        self.parents[blossom] = self.parents[base];
        let mut cycle = vec![base];
        for end in [one, other] {
            cycle[1..].reverse();
            let mut node = end;
            while node != base {
                let inner = self.tops[self.mates[node]];
                cycle.extend([node, inner]);
                self.await_turn(inner);
                node = self.tops[self.parents[inner]];
            }
        }
        self.cycles[blossom].clone_from(&cycle);
        self.set_top(blossom, blossom);
        for node in 1..=self.nodes {
            self.edges[blossom][node].weight = 0;
            self.edges[node][blossom].weight = 0;
        }
        self.holders[blossom].fill(NONE);
        for part in cycle {
            for node in 1..=self.nodes {
                let (own, new) = (self.edges[blossom][node], self.edges[part][node]);
                if own.weight == 0 || self.slack(new) < self.slack(own) {
                    self.edges[blossom][node] = new;
                    self.edges[node][blossom] = self.edges[node][part];
                }
            }
            for vertex in 1..=self.vertices {
                if self.holders[part][vertex] != NONE {
                    self.holders[blossom][vertex] = part;
                }
            }
        }
        self.find_nearest(blossom);
    }

    /// Replaces an inner blossom by its parts.
    fn expand_blossom(&mut self, blossom: usize) {
        for part in self.cycles[blossom].clone() {
            self.set_top(part, part);
        }
        let entry = self.edges[blossom][self.parents[blossom]].from;
        let entry = self.holders[blossom][entry];
        let place = self.even_place(blossom, entry);
        let cycle = self.cycles[blossom].clone();
        for pair in cycle[..place].chunks_exact(2) {
            let [inner, outer] = [pair[0], pair[1]];
            self.parents[inner] = self.edges[outer][inner].from;
            self.labels[inner] = Label::Inner;
            self.labels[outer] = Label::Outer;
            self.nearest[inner] = NONE;
            self.find_nearest(outer);
            self.await_turn(outer);
        }
        self.labels[entry] = Label::Inner;
        self.parents[entry] = self.parents[blossom];
        for &part in &cycle[place + 1..] {
            self.labels[part] = Label::Free;
            self.find_nearest(part);
        }
        self.tops[blossom] = NONE;
    }

    /// Goes along a tight edge from an outer node; true when that found an augmenting path.
    fn follow(&mut self, edge: Edge) -> bool {
        let (one, other) = (self.tops[edge.from], self.tops[edge.to]);
        match self.labels[other] {
            Label::Free => {
                self.parents[other] = edge.from;
                self.labels[other] = Label::Inner;
                let next = self.tops[self.mates[other]];
                self.nearest[other] = NONE;
                self.nearest[next] = NONE;
                self.labels[next] = Label::Outer;
                self.await_turn(next);
            }
            Label::Outer => {
                let ways = [one, other].map(|node| self.way_to_root(node));
                let base = ways[0].iter().find(|node| ways[1].contains(node));
                let Some(&base) = base else {
                    self.flip_path(one, other);
                    self.flip_path(other, one);
                    return true;
                };
                self.add_blossom(one, base, other);
            }
            Label::Inner => {}
        }
        false
    }

    /// The nodes on top.
    fn on_top(&self) -> Vec<usize> {
        (1..=self.nodes).filter(|&node| self.tops[node] == node).collect()
    }

    /// The blossoms on top.
    fn blossoms(&self) -> Vec<usize> {
        self.on_top().into_iter().filter(|&node| node > self.vertices).collect()
    }

    /// Matches two more vertices; false when all are matched.
    fn augment(&mut self) -> bool {
        self.labels.fill(Label::Free);
        self.nearest.fill(NONE);
        self.waiting.clear();
        for node in self.on_top() {
            if self.mates[node] != NONE {
                continue;
            }
            self.parents[node] = NONE;
            self.labels[node] = Label::Outer;
            self.await_turn(node);
        }
        if self.waiting.is_empty() {
            return false;
        }
        loop {
            while let Some(vertex) = self.waiting.pop_front() {
                for other in 1..=self.vertices {
                    let edge = self.edges[vertex][other];
                    if edge.weight == 0 || self.tops[vertex] == self.tops[other] {
                        continue;
                    }
                    if self.slack(edge) > 0 {
                        self.offer(vertex, self.tops[other]);
                    } else if self.follow(edge) {
                        return true;
                    }
                }
            }
            self.change_duals();
            for node in self.on_top() {
                let nearest = self.nearest[node];
                if nearest == NONE || self.tops[node] != node || self.tops[nearest] == node {
                    continue;
                }
                let edge = self.edges[nearest][node];
                if self.slack(edge) == 0 && self.follow(edge) {
                    return true;
                }
            }
            for node in self.blossoms() {
                if self.labels[node] == Label::Inner && self.duals[node] == 0 {
                    self.expand_blossom(node);
                }
            }
        }
    }

    /// Changes the duals by as much as possible, after which another edge is tight or a blossom can
    /// be expanded.
    fn change_duals(&mut self) {
        let mut step = i64::MAX;
        for node in self.on_top() {
            if node > self.vertices && self.labels[node] == Label::Inner {
                step = step.min(self.duals[node] / 2);
            }
            if self.nearest[node] != NONE {
                let slack = self.slack(self.edges[self.nearest[node]][node]);
                match self.labels[node] {
                    Label::Free => step = step.min(slack),
                    Label::Outer => step = step.min(slack / 2),
                    Label::Inner => {}
                }
            }
        }
        for vertex in 1..=self.vertices {
            match self.labels[self.tops[vertex]] {
                Label::Outer => self.duals[vertex] -= step,
                Label::Inner => self.duals[vertex] += step,
                Label::Free => {}
            }
        }
        for blossom in self.blossoms() {
            match self.labels[blossom] {
                Label::Outer => self.duals[blossom] += 2 * step,
                Label::Inner => self.duals[blossom] -= 2 * step,
                Label::Free => {}
            }
        }
    }
}

/// The mates of all participants, by their places, in a pairing of the least cost.
fn cheapest(all: &[usize], cost: &dyn Fn(usize, usize) -> u64) -> Vec<usize> {
    // All can be paired, and more pairs always have a larger weight.
    let weight = |one, other| (MAX_COST + 1 - cost(all[one], all[other]).min(MAX_COST)) as i64;
    Edmonds::mates(all.len(), weight)
}

/// Pairs all participants, from the first on, each with the first of its candidates that leaves a
/// pairing of the least cost of all. `candidates` orders the remaining participants by preference
/// for one of them. The number of participants must be even. A pair costs at most
/// [`MAX_COST`].
pub fn pair(
    all: &[usize],
    candidates: &dyn Fn(usize, &[usize]) -> Vec<usize>,
    cost: &dyn Fn(usize, usize) -> u64,
) -> Vec<[usize; 2]> {
    let total = |all: &[usize], mates: &[usize]| {
        let twice: u128 =
            all.iter().zip(mates).map(|(&one, &mate)| u128::from(cost(one, all[mate]))).sum();
        twice / 2
    };
    let (mut left, mut mates) = (all.to_vec(), cheapest(all, cost));
    let mut pairs = vec![];
    while !left.is_empty() {
        let least = total(&left, &mates);
        let one = left[0];
        let mate = left[mates[0]];
        let without = |other: usize| -> Vec<usize> {
            left.iter().copied().filter(|third| ![one, other].contains(third)).collect()
        };
        let fits = |other: usize| {
            let (own, rest) = (u128::from(cost(one, other)), without(other));
            if other == mate {
                return Some((other, None, rest));
            }
            if own > least {
                return None;
            }
            let mates = cheapest(&rest, cost);
            (own + total(&rest, &mates) == least).then_some((other, Some(mates), rest))
        };
        let choice = candidates(one, &left[1..]).into_iter().find_map(fits);
        let (other, new, rest) = choice.unwrap_or_else(|| (mate, None, without(mate)));
        // The rest of a cheapest pairing is a cheapest pairing of the rest.
        mates = new.unwrap_or_else(|| {
            let mate_of = |player: &usize| {
                let place = left.iter().position(|known| known == player).unwrap_or_default();
                let mate = left[mates[place]];
                rest.iter().position(|&known| known == mate).unwrap_or_default()
            };
            rest.iter().map(mate_of).collect()
        });
        left = rest;
        pairs.push([one, other]);
    }
    pairs
}

#[cfg(test)]
mod tests;
