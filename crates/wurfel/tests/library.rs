//! The library answers as the crates below it do, and refuses what is not of its game.

use std::fmt::Write;
use std::sync::Arc;

use serde_json::json;
use wurfel::{
    Game, LabelSource, MatchSettings, OwnAgent, OwnPlayer, Player, Position, Scene, TablesWanted,
    all_games, default_game, game,
};
use wurfel_agents::{Catalogued, UseGame, with_game};
use wurfel_core::{Budget, BySide, Decision, Failure, Outcome, Random, Side, Situation, roll};
use wurfel_train::Labels;

/// Walks through random games twice at once, with the type of the game and without.
struct Walk(Game);

impl UseGame for Walk {
    type Output = u32;

    fn with<G: Catalogued>(self, rules: &G) -> u32 {
        let (mut random, mut turns) = (Random::new(7), 0);
        for number in 0..4 {
            let setup = |seed| rules.setup(&mut Random::new(seed));
            let mut typed = Situation { position: setup(number), roll: None };
            let mut erased = self.0.setup(&mut Random::new(number));
            while typed.position.outcome().is_none() && typed.position.ply() < 60 {
                assert_eq!(erased.to_string(), typed.to_string());
                let again = self.0.read(&typed.to_string(), false).expect("a text of a position");
                assert_eq!(again, erased);
                let Some(rolled) = typed.roll else {
                    let next = roll(&typed.position, &mut random);
                    let rolls = typed.position.rolls();
                    let weights = |weight: u32, of: u32| weight + of;
                    let sum = rolls.as_ref().iter().map(|of| of.weight).fold(0, weights);
                    assert_eq!(erased.rolls().iter().map(|of| of.weight).fold(0, weights), sum);
                    erased = erased.rolled(&next.to_string()).expect("a roll of the dice");
                    typed.roll = Some(next);
                    continue;
                };
                let moves = typed.position.moves(rolled);
                let texts: Vec<String> = moves.as_ref().iter().map(ToString::to_string).collect();
                assert_eq!(erased.moves(), texts);
                let mv = *random.pick(moves.as_ref());
                erased = erased.played(&mv.to_string()).expect("a legal move");
                typed.roll = typed.position.play(rolled, mv);
                turns += 1;
            }
            assert_eq!(erased.outcome(), typed.position.outcome());
        }
        turns
    }
}

#[test]
fn positions_without_a_type_are_those_with_one() {
    for game in all_games() {
        assert!(with_game(game.name(), Walk(game)).unwrap() > 40, "{game:?}");
    }
}

/// Plays the first move, or something else.
struct First {
    wrong: bool,
}

impl OwnAgent for First {
    fn begin(&mut self, _: Random) -> Result<(), Failure> {
        Ok(())
    }

    fn decide(&mut self, position: &Position, _: Budget<'_>) -> Result<Decision<String>, Failure> {
        let mv = if self.wrong { "z9z8".to_owned() } else { position.moves()[0].clone() };
        Ok(Decision { mv, value: None, exact: false, nodes: 0, depth: 0 })
    }
}

fn first(wrong: bool) -> Player {
    let make = move || -> Box<dyn OwnAgent> { Box::new(First { wrong }) };
    Player::Own(OwnPlayer { name: "first".to_owned(), make: Arc::new(make) })
}

#[test]
fn an_agent_from_outside_plays_and_an_illegal_move_loses_the_game() {
    let random = Player::Spec("random".parse().unwrap());
    let settings = MatchSettings { pairs: 20, seed: 3, ..MatchSettings::default() };
    for (wrong, lost) in [(false, 0), (true, 40)] {
        let entrants =
            game("dicechess").unwrap().entrants(&[first(wrong), random.clone()]).unwrap();
        let arranged = entrants.between([0, 1], settings);
        let tally = arranged.run(2, None, &mut |_| {}).unwrap();
        assert_eq!(arranged.run(1, None, &mut |_| {}).unwrap().score, tally.score);
        let report = arranged.report(&tally, None);
        let [own, _] = &report.agents;
        assert_eq!((own.name.as_str(), own.faults.illegal_moves), ("first", lost));
        assert_eq!(report.score.games, 40);
        let reason = own.reasons.first().map_or("", String::as_str);
        assert_eq!(reason.contains("'z9z8': expected one of"), wrong, "{reason}");
    }
}

#[test]
fn what_is_not_of_the_game_is_refused() {
    assert!(game("einstien").unwrap_err().to_string().contains("did you mean 'einstein'"));
    let (einstein, chess) = (game("einstein").unwrap(), game("dicechess").unwrap());
    assert!(einstein != chess && einstein == game("einstein").unwrap());
    let start = chess.start();
    let mut agent = einstein.agents_of(&"greedy".parse().unwrap()).unwrap().make();
    for error in [
        agent.decide(&start, Budget::default()).unwrap_err().to_string(),
        agent.analyse("greedy", &start, Budget::default()).unwrap_err().to_string(),
        agent.observe(&start, "e2e4").unwrap_err().to_string(),
    ] {
        assert!(error.contains("expected one of einstein"), "{error}");
    }
    let tables = einstein.tables(Some(std::path::Path::new("none")), TablesWanted::Existing);
    let tables = tables.unwrap();
    assert!(tables.tables().is_empty() && tables.max_pieces() == 0);
    assert!(tables.probe(&start).is_err());
    let own = einstein.read("5/5/2C2/5/2cba r 3 1", false).unwrap();
    assert!(tables.probe(&own).unwrap_err().to_string().contains("found roll 3"));
    // Nothing can be decided before a roll.
    let error = agent.decide(&einstein.start(), Budget::default()).unwrap_err();
    assert!(matches!(error, wurfel::NoAnswer::Position(_)), "{error}");
    assert!(own.moves().contains(&agent.decide(&own, Budget::default()).unwrap().mv));
}

/// Positions of several rule sets have one type. Nothing may take one game for the other.
#[test]
fn every_game_is_played_by_its_own_rules() {
    for game in all_games() {
        let name = game.name();
        let labels = game.learning().labeller(&LabelSource::Evaluation(String::new())).unwrap();
        assert_eq!(labels.header(1, Labels::new(1, 1)).game, name);
        let lanes = game.lanes(1, Random::new(1), None).unwrap();
        let start = game.start();
        let setup = game.setups()[0].clone();
        for position in [
            lanes.position(0).unwrap(),
            game.setup(&mut Random::new(1)),
            game.arranged(BySide::new(&setup, &setup)).unwrap(),
            game.read(&start.to_string(), false).unwrap(),
            game.read_at_rest(&start.to_string()).unwrap(),
            start.roll_dice(&mut Random::new(1)).unwrap().unrolled(),
        ] {
            assert_eq!(position.game(), name);
        }
    }
    let [plain, bare] = ["dicechess", "dicechess-bare"].map(|name| game(name).unwrap());
    let text = "4k3/8/8/8/8/8/8/4KR2 b";
    let outcome = |of: Game| of.read(text, false).unwrap().outcome();
    assert_eq!([plain, bare].map(outcome), [None, Some(Outcome::Win(Side::First))]);
    assert_eq!(plain.start().to_string(), bare.start().to_string());
    assert_ne!(plain.start(), bare.start());
    let mut agent = plain.agents_of(&"greedy".parse().unwrap()).unwrap().make();
    let error = agent.decide(&bare.start(), Budget::default()).unwrap_err().to_string();
    assert!(error.contains("expected one of dicechess"), "{error}");
    // Random games are others where a pawn may become what is rolled.
    let promotion = game("dicechess-promotion").unwrap();
    let played = [plain, promotion].map(|of| {
        let random = Player::Spec("random".parse().unwrap());
        let settings = MatchSettings { pairs: 50, seed: 3, ..MatchSettings::default() };
        let entrants = of.entrants(&[random.clone(), random]).unwrap();
        let arranged = entrants.between([0, 1], settings);
        assert_eq!(arranged.header().game, of.name());
        arranged.run(2, None, &mut |_| {}).unwrap()
    });
    assert_ne!(played[0].plies, played[1].plies);
    let games = plain.read_games("@P e2e4").unwrap();
    let lines = games.json_lines().unwrap();
    assert!(plain.read_games(&lines).is_ok());
    let error = bare.read_games(&lines).err().unwrap().to_string();
    assert!(error.contains("expected games of dicechess-bare, found dicechess"), "{error}");
}

#[test]
#[should_panic(expected = "games are put together with those of the same rule set")]
fn games_by_other_rules_are_not_put_together() {
    let games = |name: &str| game(name).unwrap().read_games("@P e2e4").unwrap();
    games("dicechess").append(games("dicechess-bare"));
}

/// A driver may name what is left of a roll before each further move of a turn.
#[test]
fn what_is_left_of_a_roll_may_be_named_again() {
    let start = game("dicechess3").unwrap().start();
    let rolled = start.rolled("PPN").unwrap();
    let mv = rolled.moves()[0].clone();
    let left = format!("@{}", rolled.played(&mv).unwrap().roll().unwrap());
    let after = start.after_each(&["@PPN", &mv, &left]).unwrap();
    assert_eq!((after.len(), &after[1]), (3, &after[2]));
    assert_eq!(start.after(&format!("@PPN {mv} {left}")).unwrap(), after[2]);
    let (number, error) = start.after_each(&["@PPN", &mv, "@QQQ"]).unwrap_err();
    assert!(number == 2 && error.to_string().contains("which has not been played yet"), "{error}");
}

fn scene(text: &str) -> Scene {
    default_game().read(text, false).expect("a position").scene()
}

#[test]
fn moves_name_their_squares_and_what_they_remove() {
    let scene = scene("5/5/2A2/3b1/5 r 4 7");
    let shown: Vec<_> =
        scene.moves.iter().map(|mv| (mv.text.as_str(), mv.from, mv.to, mv.captures)).collect();
    assert_eq!(
        shown,
        [
            ("c3d3", Some(12), Some(13), None),
            ("c3c2", Some(12), Some(17), None),
            ("c3d2", Some(12), Some(18), Some('b')),
        ]
    );
    assert_eq!((scene.side, scene.ply, scene.roll.as_deref()), (0, 7, Some("4")));
    assert_eq!(scene.board.squares[12].piece.as_ref().expect("it is there").label, "1");
    assert_eq!(scene.rolls.len(), 6);
    assert_eq!(scene.rolls[1].position, "5/5/2A2/3b1/5 r 2 7");
}

#[test]
fn nothing_can_be_done_before_the_roll_and_after_the_end() {
    assert!(scene("5/5/2A2/3b1/5 r - 7").moves.is_empty());
    let end = scene("5/5/5/3b1/4A r - 7");
    assert!(end.moves.is_empty() && end.rolls.is_empty());
    assert_eq!(end.result.as_deref(), Some("1-0"));
}

/// The values of searches that do without logarithms and powers of the system, which differ in their last digits
/// from machine to machine. The tests of the module for web pages find the same ones.
#[test]
fn values_are_those_of_every_machine() {
    let mut actual = String::new();
    for (game, spec) in all_games().flat_map(|game| [(game, "champion"), (game, "uct")]) {
        let mut agent = game.agents_of(&spec.parse().unwrap()).unwrap().make();
        agent.begin(Random::new(1));
        for sample in game.facts().samples {
            let position = game.read(sample, false).unwrap();
            let budget = Budget { nodes: Some(1000), ..Budget::default() };
            let report = agent.analyse(spec, &position, budget).unwrap();
            let values = report.moves.iter().flatten().map(|scored| scored.value);
            let values: Vec<Option<f64>> = values.collect();
            writeln!(actual, "{}", json!([game.name(), spec, sample, values])).unwrap();
        }
    }
    let baseline = include_str!("values.jsonl");
    assert!(
        actual == baseline,
        "if this was meant, crates/wurfel/tests/values.jsonl must be:\n{actual}"
    );
}

#[test]
fn every_file_that_ships_is_the_one_whose_checksum_is_named() {
    let files: Vec<_> = all_games().flat_map(|game| game.files()).collect();
    assert!(files.len() > 6, "{files:?}");
    for file in files {
        let bytes = file.bytes().expect("programs have it inside").to_vec();
        assert!(!file.provide(bytes[1..].to_vec()) && file.provide(bytes), "{}", file.name);
    }
}
