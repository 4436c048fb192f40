//! Agents, the programs that a site offers, and bounds as they are typed: what is read is written
//! back unchanged, and every refusal is one line. Agents are built as far as no file is needed, and
//! not run.

use wurfel_agents::{Spec, build, parse_time};
use wurfel_games::dicechess::DiceChess3;
use wurfel_games::einstein::Einstein;
use wurfel_site::OfferedEngine;

use super::checks::{one_line, text};

/// Options whose values are names of files.
const FILES: [&str; 4] = ["weights", "values", "net", "exact"];

pub fn fuzz(input: &[u8]) {
    for line in text(input).lines().take(16) {
        if let Err(error) = parse_time(line) {
            one_line(&error);
        }
    }
    if let Err(error) = text(input).parse::<OfferedEngine>() {
        one_line(&error);
    }
    match text(input).parse::<Spec>() {
        Err(error) => one_line(&error),
        Ok(spec) => {
            assert_eq!(spec.to_string().parse(), Ok(spec.clone()));
            if spec.options.iter().any(|(option, _)| FILES.contains(&option.as_str())) {
                return;
            }
            for error in [
                build(&Einstein::default(), &spec).err(),
                build(&DiceChess3::default(), &spec).err(),
            ] {
                error.iter().for_each(one_line);
            }
        }
    }
}
