//! The list of games.

use wurfel_agents::{Catalogued, UseGame, games, with_game};

struct Title;

impl UseGame for Title {
    type Output = &'static str;

    fn with<G: Catalogued>(self, rules: &G) -> &'static str {
        rules.title()
    }
}

#[test]
fn every_game_in_the_list_is_found_by_its_name_and_has_an_evaluation() {
    for game in games() {
        assert_eq!(with_game(game.name, Title), Ok(game.title));
        assert!(!game.evaluations.is_empty());
    }
    assert_eq!(
        with_game("einstien", Title).unwrap_err().to_string(),
        "unknown game 'einstien': did you mean 'einstein'?"
    );
}
