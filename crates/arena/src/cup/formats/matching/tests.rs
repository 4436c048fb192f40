//! Tests of the cheapest pairing.

use super::*;
use wurfel_core::Random;

/// All pairings of these participants, those that suit the first ones best first.
fn all_pairings(
    all: &[usize],
    candidates: &dyn Fn(usize, &[usize]) -> Vec<usize>,
) -> Vec<Vec<[usize; 2]>> {
    let Some((&one, rest)) = all.split_first() else { return vec![vec![]] };
    let mut pairings = vec![];
    for other in candidates(one, rest) {
        let left: Vec<usize> = rest.iter().copied().filter(|&third| third != other).collect();
        for mut pairing in all_pairings(&left, candidates) {
            pairing.insert(0, [one, other]);
            pairings.push(pairing);
        }
    }
    pairings
}

fn in_order(_: usize, left: &[usize]) -> Vec<usize> {
    left.to_vec()
}

fn check(size: usize, cost: &dyn Fn(usize, usize) -> u64) {
    let all: Vec<usize> = (0..size).collect();
    let total = |pairs: &Vec<[usize; 2]>| pairs.iter().map(|&[a, b]| cost(a, b)).sum::<u64>();
    // The first of the cheapest ones.
    let best = all_pairings(&all, &in_order).into_iter().min_by_key(total).unwrap();
    assert_eq!(pair(&all, &in_order, cost), best);
}

/// Checks all graphs of up to six vertices, in which each pair costs nothing or 1; there are
/// 32,768 with six.
#[test]
fn the_pairing_is_the_first_of_the_cheapest_in_every_small_graph() {
    for size in [2, 4, 6] {
        for graph in 0..1_u32 << (size * (size - 1) / 2) {
            check(size, &|one, other| {
                let (low, high) = (one.min(other), one.max(other));
                u64::from(graph >> (high * (high - 1) / 2 + low) & 1)
            });
        }
    }
    assert!(pair(&[], &in_order, &|_, _| 0).is_empty());
}

/// With costs of several sizes, blossoms are made, nested and expanded.
#[test]
fn the_pairing_is_the_first_of_the_cheapest_with_any_costs() {
    let mut random = Random::new(4);
    for (size, times) in [(4, 300), (6, 600), (8, 600), (10, 60)] {
        for _ in 0..times {
            let most = [2, 4, 10, 1000][random.below(4) as usize];
            let costs: Vec<u64> = (0..size * size).map(|_| u64::from(random.below(most))).collect();
            check(size, &|one, other| costs[size * one.min(other) + one.max(other)]);
        }
    }
}

#[test]
fn a_pairing_from_the_top_leaves_nobody_at_the_bottom() {
    // 0 would like 1, but then 2 and 3 would be left, who should not meet.
    let cost = |one: usize, other: usize| u64::from(one.min(other) >= 2);
    assert_eq!(pair(&[0, 1, 2, 3], &in_order, &cost), [[0, 2], [1, 3]]);
}
