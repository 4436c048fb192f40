//! Tournaments, matches and training runs that the site shows while they are written.

use wurfel_arena::{adjusted_standing, read_pairings, standing};
use wurfel_site::testkit;

use super::checks::{text, with_files};

pub fn fuzz(input: &[u8]) {
    if let Some((agents, pairings)) = read_pairings(&text(input)) {
        for agent in 0..agents.len().min(16) {
            let _ = standing(agent, &pairings);
            let _ = adjusted_standing(agent, &pairings);
        }
    }
    let files = [("run.jsonl", input), ("metrics.jsonl", input), ("config.toml", input)];
    with_files(&files, testkit::read_runs);
}
