//! Saved rollouts and comparisons of moves: as they are, and with the checksum corrected. Those that
//! fit a position are continued by a game.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wurfel_agents::{Catalogued, UseGame, build, with_game};
use wurfel_arena::{
    Candidates, ComparisonReport, ComparisonTerms, LuckMeter, Rollout, RolloutResult, RolloutTerms,
    StoppingRule, StoredComparison, StoredResult, load_rollout, save_rollout,
};
use wurfel_core::{Budget, checksum_text};

use super::checks::{one_line, with_files};

/// Games that end early do so after at most this many turns, since each turn is a search.
const MAX_TURNS: u32 = 3;
/// Such games are played for at most this many first rolls.
const MAX_BLOCK: u64 = 6;

pub fn fuzz(input: &[u8]) {
    let rollout = &mut |terms: RolloutTerms, results| go_on(terms, Results::Rollout(results));
    let comparison = &mut |ComparisonTerms { rollout, moves, error_rate }, results| {
        go_on(rollout, Results::Comparison(results, moves, error_rate));
    };
    read::<RolloutResult>(input, rollout);
    read::<StoredComparison>(input, comparison);
    if let Some(sealed) = sealed::<RolloutResult>(input) {
        read::<RolloutResult>(&sealed, rollout);
    }
    if let Some(sealed) = sealed::<StoredComparison>(input) {
        read::<StoredComparison>(&sealed, comparison);
    }
}

/// Reads a file with its own terms, and saves its results again.
fn read<F: StoredResult<Terms: Default>>(input: &[u8], go_on: &mut dyn FnMut(F::Terms, F)) {
    let terms: F::Terms = part(input, "terms").unwrap_or_default();
    let load = |path: &Path| load_rollout::<F>(path, &terms);
    with_files(&[("file", input)], |folder| {
        let path = folder.join("file");
        match load(&path) {
            Err(error) => one_line(&error),
            Ok(results) => {
                let results = results.expect("a file that is there");
                save_rollout(&path, &terms, &results).expect("it can be replaced");
                let again = load(&path).expect("what we have written").expect("a file");
                let [again, before] = [&again, &results].map(serde_json::to_string);
                assert_eq!(again.ok(), before.ok(), "a result changes when it is kept");
                go_on(terms.clone(), results);
            }
        }
    });
}

fn part<T: DeserializeOwned>(input: &[u8], name: &str) -> Option<T> {
    let mut content: Value = serde_json::from_slice(input).ok()?;
    serde_json::from_value(content.get_mut(name)?.take()).ok()
}

/// The file with the right checksum, if it is a result.
fn sealed<F: StoredResult>(input: &[u8]) -> Option<Vec<u8>> {
    let (terms, results): (F::Terms, F) = (part(input, "terms")?, part(input, "found")?);
    let text = serde_json::to_vec(&(&terms, &results)).ok()?;
    let checksum = checksum_text(text);
    let content = json!({
        "format": F::FORMAT, "version": 1, "terms": terms, "found": results, "checksum": checksum,
    });
    serde_json::to_vec(&content).ok()
}

/// A result that is to be continued.
enum Results {
    Rollout(RolloutResult),
    /// With the number of moves and the error rate in the terms.
    Comparison(StoredComparison, u32, f64),
}

fn go_on(terms: RolloutTerms, results: Results) {
    let game = terms.game.clone();
    // An unknown game is not continued.
    let _ = with_game(&game, GoOn { terms, results });
}

struct GoOn {
    terms: RolloutTerms,
    results: Results,
}

impl UseGame for GoOn {
    type Output = ();

    fn with<G: Catalogued>(self, rules: &G) {
        let Self { terms, results } = self;
        let Ok(situation) = rules.read_alike(&terms.position) else { return };
        if situation.position.outcome().is_some() {
            return;
        }
        // An agent that gives values, if games end early, or else the fastest one. It searches in each
        // turn, too long for the many first rolls of some games.
        let turns = terms.turns.map(|turns| turns.clamp(1, MAX_TURNS));
        let name = if turns.is_some() { "expecti:depth=1" } else { "random" };
        let spec = name.parse().expect("the spec of an agent");
        let player = build(rules, &spec).expect("an agent of every game");
        let luck = terms.luck.then(LuckMeter::default_for_game);
        let budget = Budget { depth: Some(1), ..Budget::default() };
        let rollout = Rollout { situation, player, budget, luck, turns, seed: terms.seed };
        if turns.is_some() && rollout.block() > MAX_BLOCK || !rollout.can_end() {
            return;
        }
        match results {
            Results::Rollout(results) => {
                if rollout.fits(&results) {
                    let games = Some(results.control.count().saturating_add(1).min(1 << 62));
                    let enough = StoppingRule { games, error: None };
                    let results = rollout.resume(results, 1, enough, |_| false);
                    let _ = (results.best(), results.control.adjusted());
                }
            }
            Results::Comparison(results, count, error_rate) => {
                let StoredComparison { moves, compared } = results;
                let sound = (1e-6..=0.5).contains(&error_rate) && moves.len() <= count as usize;
                let candidates = Candidates::from_names(rollout, &moves, error_rate);
                let Some(candidates) = candidates.filter(|_| sound) else { return };
                if candidates.fits(&compared) {
                    let enough = StoppingRule { games: Some(1 << 62), error: None };
                    let results = candidates.resume(compared, 1, enough, |_| false);
                    let time = std::time::Duration::ZERO;
                    let report = ComparisonReport::new(&candidates, &results, &spec, false, time);
                    serde_json::to_string(&report).expect("a report can be written");
                }
            }
        }
    }
}
