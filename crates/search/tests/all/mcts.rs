//! Monte Carlo tree search on games so small that their values can be seen.

use std::fmt;
use std::str::FromStr;

use wurfel_core::{
    Agent, Analysis, Budget, Evaluator, Even, Game, Literal, LiteralMove, LiteralRoll,
    NotationError, Outcome, Preference, Random, Side, Situation, Turn, Weighted, random_literal,
};
use wurfel_search::Expecti;
use wurfel_search::mcts::{
    DynamicUcb, EvaluateAtOnce, FinalMove, Flat, FullPlayout, HeuristicPruning, HeuristicScale,
    Huct, HuctSettings, Mcts, MctsSettings, Playout, ProgressiveBias, TreeForm, TruncatedPlayout,
    Ucb, Uniform,
};

fn playouts(playouts: u64) -> Budget<'static> {
    Budget { nodes: Some(playouts), ..Budget::default() }
}

fn in_form(form: TreeForm) -> MctsSettings {
    MctsSettings { form, ..MctsSettings::default() }
}

fn player<G: Game>(c: f32, settings: MctsSettings) -> Mcts<G, Ucb, FullPlayout<Uniform>> {
    let player = Mcts::new(Ucb::new(c), FullPlayout(Uniform), Budget::default(), Random::new(1));
    player.with(settings)
}

/// The agent's analysis of the turn that `text` describes.
fn ask<G: Game>(agent: &mut impl Agent<G>, text: &str, budget: Budget<'_>) -> Analysis<G> {
    let Situation { position, roll } = text.parse::<Situation<G>>().unwrap();
    agent.analyse(Turn { position: &position, roll: roll.unwrap() }, budget)
}

fn analyse(game: &str, count: u64, playout: impl Playout<Literal>, c: f32) -> Analysis<Literal> {
    let mut player = Mcts::new(Ucb::new(c), playout, playouts(count), Random::new(1));
    ask(&mut player, game, Budget::default())
}

/// The value found for each move, by the move's number.
fn values<G: Game>(analysis: &Analysis<G>) -> Vec<f32> {
    let mut moves = analysis.moves.clone();
    moves.sort_by_key(|scored| scored.mv.to_string());
    moves.iter().map(|scored| scored.value.unwrap()).collect()
}

#[test]
fn both_sides_look_for_their_own_good() {
    // After move 1 the other side finds its win; after move 2 it has none.
    let analysis = analyse("{[{[+++-]}{[=++]}]} 1 1", 4000, FullPlayout(Uniform), 0.5);
    assert_eq!(analysis.moves[0].mv.to_string(), "2");
    let actual = values(&analysis);
    assert!(actual[0] < 0.3 && (actual[1] - 0.5).abs() < 0.1, "{actual:?}");
    // The same game for the second side.
    let analysis = analyse("{[{[---+]}{[=--]}]} 2 1", 4000, FullPlayout(Uniform), 0.5);
    assert_eq!(analysis.moves[0].mv.to_string(), "2");
}

#[test]
fn rolls_count_by_their_weights() {
    // After move 1 the other side has lost with 5 faces of 6, after move 2 with 1 face.
    let analysis = analyse("{[{5[+]1[-]}{1[+]5[-]}]} 1 1", 20_000, FullPlayout(Uniform), 2.0);
    let actual = values(&analysis);
    assert!((actual[0] - 5.0 / 6.0).abs() < 0.02, "{actual:?}");
    assert!((actual[1] - 1.0 / 6.0).abs() < 0.08, "{actual:?}");
}

#[test]
fn a_side_that_goes_on_is_not_its_own_enemy() {
    let analysis = analyse("{[[+--]=]} 1 1", 2000, FullPlayout(Uniform), 0.5);
    assert_eq!(analysis.moves[0].mv.to_string(), "1");
    assert!(values(&analysis)[0] > 0.9, "{:?}", values(&analysis));
}

/// The exact values.
fn solution(text: &str) -> Analysis<Literal> {
    let whole = Budget { depth: Some(20), ..Budget::default() };
    ask(&mut Expecti::new(Even, whole), text, Budget::default())
}

/// HUCT with the paper's settings, for which no move is urgent.
fn huct<E>(evaluator: E, pruning: Option<HeuristicPruning>) -> Huct<E, Calm> {
    let scale = HeuristicScale::Points;
    let settings = HuctSettings { c: 2.0, k: 0.5, lambda: 0.5, pruning, scale };
    Huct { settings, evaluator, preference: Calm }
}

/// A preference that rates all moves alike.
#[derive(Clone, Copy)]
struct Calm;

impl<G: Game> Preference<G> for Calm {
    fn rate(&self, _: Turn<'_, G>, _: G::Move) -> i32 {
        0
    }
}

#[test]
fn it_comes_to_the_decision_of_the_whole_search() {
    let games = [
        "{[{[{[+-]}{[-=]}]3[-]3[=+]}{2[+-]4[{[++]}{[--]}]}]} 1 1",
        "{[{3[+=]3[{[{[+-]}=]}]}{6[{1[+]5[-]}]}=]} 1 1",
        "{[{[{[--+]}]}{[{[+]}{[-]}]}]} 2 1",
    ];
    for text in games {
        let text = text.replace("3[-]3[=+]", "[=+]");
        let exact = solution(&text);
        let windowed = DynamicUcb::new(0.7, 5, 0.1);
        let bias = ProgressiveBias { ucb: Ucb::new(0.7), weight: 1.0, evaluator: Even };
        let mut huct = huct(Even, None);
        huct.settings.c = 0.7;
        let budget = playouts(20_000);
        let random = || Random::new(1);
        for actual in [
            analyse(&text, 20_000, FullPlayout(Uniform), 0.7),
            analyse(&text, 20_000, EvaluateAtOnce(Even), 0.7),
            ask(&mut player(0.7, in_form(TreeForm::Proving)), &text, budget),
            ask(&mut player(0.7, in_form(TreeForm::Open)), &text, budget),
            ask(
                &mut player(0.7, MctsSettings { trees: 3, ..MctsSettings::default() }),
                &text,
                budget,
            ),
            ask(&mut Mcts::new(windowed, FullPlayout(Uniform), budget, random()), &text, budget),
            ask(&mut Mcts::new(bias, FullPlayout(Uniform), budget, random()), &text, budget),
            ask(&mut Mcts::new(huct, FullPlayout(Uniform), budget, random()), &text, budget),
        ] {
            let chosen = actual.moves[0];
            let true_value = |mv| exact.moves.iter().find(|scored| scored.mv == mv).unwrap().value;
            assert_eq!(true_value(chosen.mv), exact.moves[0].value, "{text}");
            let error = chosen.value.unwrap() - exact.moves[0].value.unwrap();
            assert!(error.abs() < 0.06, "{text}: {error}");
        }
    }
}

#[test]
fn flat_playouts_average_over_what_both_sides_might_do() {
    let mut flat = Flat::new(FullPlayout(Uniform), Budget::default(), Random::new(1));
    let analysis: Analysis<Literal> = ask(&mut flat, "{[{[+++-]}{[=++]}+]} 1 1", playouts(30_000));
    // A tree would find that the other side wins after the first move.
    let wanted = [0.75, 5.0 / 6.0, 1.0];
    for (actual, wanted) in values(&analysis).into_iter().zip(wanted) {
        assert!((actual - wanted).abs() < 0.015, "{actual} is not {wanted}");
    }
    assert_eq!((analysis.nodes, analysis.moves[0].mv.to_string()), (30_000, "3".to_owned()));
}

#[test]
fn a_budget_of_playouts_is_kept_exactly() {
    for trees in [1, 2, 7] {
        for count in [1, 2, 5, 1000] {
            let mut player =
                player::<Literal>(1.0, MctsSettings { trees, ..MctsSettings::default() });
            let analysis = ask(&mut player, "{[{[+-]}{[-+]}]} 1 1", playouts(count));
            assert_eq!((analysis.nodes, analysis.moves.len()), (count, 2), "{trees} trees");
            assert_eq!(player.statistics().simulations, count);
        }
    }
}

#[test]
fn trees_draw_random_numbers_of_their_own_and_always_the_same() {
    let text = "{[{[+--+]}{[-+=]}{2[+]4[-+]}]} 1 1";
    let of = |trees| {
        ask(
            &mut player(1.0, MctsSettings { trees, ..in_form(TreeForm::Closed) }),
            text,
            playouts(60),
        )
    };
    let actual: Analysis<Literal> = of(6);
    assert_eq!(actual, of(6));
    assert_ne!(values(&actual), values(&of(1)));
    assert_ne!(values(&actual), values(&of(5)));
}

/// A literal in which a move is no more than its number: after another roll
/// the same move may lead elsewhere.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct ByNumber(Literal);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Number(usize);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for ByNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for ByNumber {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        text.parse().map(Self)
    }
}

impl Game for ByNumber {
    type Roll = LiteralRoll;
    type Move = Number;
    type Rolls = Vec<Weighted<LiteralRoll>>;
    type Moves = Vec<Number>;

    const DICE: &'static [Weighted<LiteralRoll>] = Literal::DICE;

    fn side(&self) -> Side {
        self.0.side()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn rolls(&self) -> Self::Rolls {
        self.0.rolls()
    }

    fn moves(&self, roll: LiteralRoll) -> Vec<Number> {
        (0..self.0.moves(roll).len()).map(Number).collect()
    }

    fn play(&mut self, roll: LiteralRoll, Number(place): Number) -> Option<LiteralRoll> {
        self.0.play(roll, self.0.moves(roll)[place])
    }

    fn ply(&self) -> u32 {
        self.0.ply()
    }

    fn read(text: &str) -> Result<Situation<Self>, NotationError> {
        let Situation { position, roll } = Literal::read(text)?;
        Ok(Situation { position: Self(position), roll })
    }

    fn write(&self, roll: Option<LiteralRoll>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(roll, f)
    }
}

#[test]
fn an_open_tree_is_wrong_where_the_same_move_depends_on_the_roll() {
    // After move 1 every roll has a winning move, but not of the same number;
    // after move 2 five rolls of six win.
    let text = "{[{[{[+-][-+]}]}{5[+]1[-]}]} 1 1";
    let look = |form| {
        let actual = ask::<ByNumber>(&mut player(1.0, in_form(form)), text, playouts(20_000));
        (actual.moves[0].mv.to_string(), values(&actual)[0])
    };
    let (closed, value) = look(TreeForm::Closed);
    assert!(closed == "0" && value > 0.95, "{closed} {value}");
    let (open, value) = look(TreeForm::Open);
    assert!(open == "1" && (value - 0.5).abs() < 0.2, "{open} {value}");
    // Where a move tells what was rolled, an open tree finds the same.
    let actual: Analysis<Literal> =
        ask(&mut player(0.5, in_form(TreeForm::Open)), text, playouts(20_000));
    assert_eq!(actual.moves[0].mv.to_string(), "1");
    assert!(values(&actual)[0] > 0.95, "{:?}", values(&actual));
}

#[test]
fn an_open_tree_lets_rolls_bring_moves_one_after_another() {
    // The second roll has more moves than the first, and the side may go on or not.
    let text = "{[{[{1[-]2[-=]3[[-+]-+]}]}{[=]}]} 1 1";
    for seed in 0..20 {
        let mut player = player::<ByNumber>(0.5, in_form(TreeForm::Open));
        player.begin(Random::new(seed));
        let actual = ask(&mut player, text, playouts(5000));
        assert!((0.0..=1.0).contains(&values(&actual)[0]), "{actual:?}");
        assert_eq!(actual.nodes, 5000);
    }
}

#[test]
fn what_is_proven_is_played_or_avoided_and_ends_the_search() {
    let prove = |text| {
        let mut player = player::<Literal>(1.0, in_form(TreeForm::Proving));
        let actual = ask(&mut player, text, playouts(3000));
        let best = actual.moves[0];
        (best.mv.to_string(), best.value.unwrap(), best.exact, actual.nodes < 3000)
    };
    // Through all rolls of the other side, and one more turn.
    assert_eq!(prove("{[{[+-]}{[=]}{2[++]4[{[+-]}]}]} 1 1"), ("3".into(), 1.0, true, true));
    // Everything is lost.
    assert_eq!(prove("{[{2[+-]4[-]}]} 1 1"), ("1".into(), 0.0, true, true));
    let (_, value, exact, early) = prove("{[{2[+-]4[-]}{[[+-]+]}]} 1 1");
    assert!(value < 0.5 && exact && early);
    // A draw is not proven, and a proven loss is the last choice.
    assert_eq!(prove("{[{[-]}=-]} 1 1"), ("2".into(), 0.5, false, false));
    assert_eq!(prove("{[{[{[+-][-]}]}{[-][-]}]} 1 1").0, "1");
    // The first game for the second side.
    assert_eq!(prove("{[{[+-]}{[=]}{[-][--]}]} 2 1"), ("3".into(), 1.0, true, true));
}

#[test]
fn what_is_called_exact_is_so() {
    let mut random = Random::new(5);
    let mut proven = 0;
    for n in 0..400 {
        let depth = 1 + n % 4;
        let text = format!("{} {} 1", random_literal(&mut random, depth), 1 + n % 2);
        let settings = MctsSettings { trees: 1 + n as usize % 3, ..in_form(TreeForm::Proving) };
        let actual: Analysis<Literal> = ask(&mut player(1.0, settings), &text, playouts(500));
        let exact = solution(&text);
        for scored in actual.moves.iter().filter(|scored| scored.exact) {
            let other = exact.moves.iter().find(|other| other.mv == scored.mv).unwrap();
            assert_eq!(scored.value, other.value, "{text}: {}", scored.mv);
            proven += 1;
        }
    }
    assert!(proven > 200, "{proven}");
}

#[test]
fn a_tree_is_kept_until_the_next_game() {
    // Whatever happens, four moves are then to choose from, and one of them wins.
    let text = "{[{[{[---+]}][{[--+-]}]}{[{[-+--]}{[+---]}]}]} 1 1";
    let mut right = [0; 3];
    for seed in 0..40 {
        for (kind, right) in right.iter_mut().enumerate() {
            let settings = MctsSettings { reuse: kind > 0, ..MctsSettings::default() };
            let mut player = player::<Literal>(1.0, settings);
            player.begin(Random::new(seed));
            let first = ask(&mut player, text, playouts(2000));
            let Situation { mut position, roll } = text.parse::<Situation<Literal>>().unwrap();
            position.play(roll.unwrap(), first.moves[0].mv);
            let reply = LiteralRoll::Face(1 + (seed % 6) as u8);
            position.play(reply, position.moves(reply)[0]);
            // The tree stores this face of the die under another face, with which it was merged.
            let turn = Turn { position: &position, roll: LiteralRoll::Face(6) };
            if kind == 2 {
                player.begin(Random::new(seed));
            }
            let decision = player.decide(turn, playouts(1));
            assert_eq!(decision.nodes, 1);
            let mut last = position.clone();
            last.play(turn.roll, decision.mv);
            *right += i32::from(last.outcome() == Some(Outcome::Win(Side::First)));
        }
    }
    assert_eq!(right[1], 40);
    assert!(right[0] < 25 && right[2] < 25, "{right:?}");
}

#[test]
fn the_principal_variation_favours_neither_side() {
    let line = |text: &str, settings| {
        let mut player = player::<Literal>(0.5, settings);
        let line = ask(&mut player, text, playouts(5000)).line;
        let words = line.iter().map(|(roll, mv)| format!("{roll}:{mv}"));
        words.collect::<Vec<_>>().join(" ")
    };
    for settings in [
        in_form(TreeForm::Closed),
        in_form(TreeForm::Open),
        MctsSettings { trees: 2, ..in_form(TreeForm::Closed) },
    ] {
        // The roll between the best and the worst one; the best move each time.
        assert_eq!(line("{[-{2[-]2[+{[+=]}]2[+]}]} 1 2", settings), "2:2 3:2 1:1");
        assert_eq!(line("{[[{[+-]}-]-]} 1 1", settings), "1:1 rest2:1 1:2");
    }
}

/// Evaluates a position, for the side that has moved, as 0.05 for each character of its text.
#[derive(Clone, Copy)]
struct ByLength;

impl Evaluator<Literal> for ByLength {
    fn evaluate(&self, position: &Literal) -> f32 {
        let tree = position.to_string();
        1.0 - 0.05 * tree.split(' ').next().unwrap().len() as f32
    }
}

#[test]
fn an_evaluation_names_the_first_moves_to_try() {
    // Read by their lengths, the moves have the values 0.25, 0.35 and 0.3; the loss has 0.
    let text = "{[{[-]}{[+=+]}{[+-]}-]} 1 1";
    let bias = ProgressiveBias { ucb: Ucb::new(0.0), weight: 100.0, evaluator: ByLength };
    let random = || Random::new(3);
    for count in 1..4 {
        let mut biased = Mcts::new(bias, FullPlayout(Uniform), playouts(count), random());
        let mut huct =
            Mcts::new(huct(ByLength, None), FullPlayout(Uniform), playouts(count), random());
        for actual in
            [ask(&mut biased, text, Budget::default()), ask(&mut huct, text, Budget::default())]
        {
            let tried = actual.moves.iter().filter(|scored| scored.value.is_some());
            let mut tried: Vec<_> = tried.map(|scored| scored.mv.to_string()).collect();
            tried.sort();
            assert_eq!(tried, [&["2"][..], &["2", "3"], &["1", "2", "3"]][count as usize - 1]);
        }
    }
    // A heavy bias outweighs the results while it has not faded.
    let mut biased = Mcts::new(bias, FullPlayout(Uniform), playouts(20), random());
    assert_eq!(ask(&mut biased, text, Budget::default()).moves[0].mv.to_string(), "2");
}

/// A preference that finds only the move with this number urgent.
#[derive(Clone, Copy)]
struct Urgent(&'static str);

impl Preference<Literal> for Urgent {
    fn rate(&self, _: Turn<'_, Literal>, _: LiteralMove) -> i32 {
        0
    }

    fn is_urgent(&self, _: Turn<'_, Literal>, mv: LiteralMove) -> bool {
        mv.to_string() == self.0
    }
}

#[test]
fn pruned_moves_are_never_tried() {
    // The evaluations are 0.25, 0.45, 0.25, 0.5, 0.45: the mean is 0.38, the deviation 0.11.
    let text = "{[{[+]}{[+++++]}{[-]}{[======]}{[-----]}]} 1 1";
    let tried = |eta: f32, scale, preference| {
        let pruning = Some(HeuristicPruning::new(eta));
        let Huct { settings, evaluator, .. } = huct(ByLength, pruning);
        let settings = HuctSettings { scale, ..settings };
        let select = Huct { settings, evaluator, preference };
        let mut player = Mcts::new(select, FullPlayout(Uniform), playouts(500), Random::new(1));
        let actual = ask(&mut player, text, Budget::default());
        let tried = actual.moves.iter().filter(|scored| scored.value.is_some());
        let mut tried: Vec<_> = tried.map(|scored| scored.mv.to_string()).collect();
        tried.sort();
        // Below the root there are turns with one or with equal moves.
        let statistics = player.statistics();
        assert_eq!(statistics.pruned, 5 - tried.len() as u64);
        let all = (statistics.moves + statistics.pruned) as f64;
        assert!((statistics.prune_rate() - statistics.pruned as f64 / all).abs() < 1e-12);
        tried
    };
    let own = HeuristicScale::Points;
    assert_eq!(tried(0.7, own, Urgent("")), ["2", "4", "5"]);
    assert_eq!(tried(0.7, own, Urgent("3")), ["2", "3", "4", "5"]);
    assert_eq!(tried(1.3, own, Urgent("")).len(), 5);
}

/// On the scale of win probability, paper `heuristic-pruned-mcts`'s δ of 0.15 keeps moves whose gaps
/// are a third of all that lies between the best and the worst.
#[test]
fn the_scale_decides_what_the_gap_protects() {
    // The evaluations are 0.25, 0.3, 0.35, 0.35: no gap is as large as 0.15. From the worst to the
    // best they are 0, ½, 1, 1.
    let text = "{[{[+]}{[++]}{[+++]}{[---]}]} 1 1";
    let tried = |scale| {
        let mut huct = huct(ByLength, Some(HeuristicPruning::new(0.0)));
        huct.settings.scale = scale;
        let mut player = Mcts::new(huct, FullPlayout(Uniform), playouts(500), Random::new(1));
        let actual = ask(&mut player, text, Budget::default());
        let tried = actual.moves.iter().filter(|scored| scored.value.is_some());
        let mut tried: Vec<_> = tried.map(|scored| scored.mv.to_string()).collect();
        tried.sort();
        tried
    };
    assert_eq!(tried(HeuristicScale::Points), ["1", "2", "3", "4"]);
    assert_eq!(tried(HeuristicScale::Turn), ["3", "4"]);
}

#[test]
fn a_playout_may_be_cut_short() {
    let result = |text: &str, turns| {
        let position: Literal = text.parse().unwrap();
        let playout = TruncatedPlayout { policy: Uniform, turns, evaluator: ByLength };
        playout.result(position, None, &mut Random::new(1))
    };
    // The text has 13 characters for the first side after no turn, 9 for the second after one, and
    // 5 for the first after two.
    let text = "{[{[{[+]}]}]}";
    for (turns, value) in [(0, 0.35), (1, 0.45), (2, 0.75), (3, 1.0), (9, 1.0)] {
        assert!((result(text, turns) - value).abs() < 1e-6, "{turns}: {}", result(text, turns));
    }
    // A turn in which the same side goes on is played to its end.
    assert!((result("{[[[{[-]}]]]}", 1) - 0.25).abs() < 1e-6);
}

#[test]
fn statistics_tell_how_deep_and_how_large_the_tree_is() {
    let mut player = player::<Literal>(1.0, MctsSettings::default());
    ask(&mut player, "{[{[+]}]} 1 1", playouts(10));
    let actual = player.statistics();
    // The first simulation ends in the first position, the nine others in its end.
    assert_eq!((actual.simulations, actual.steps, actual.depth), (10, 19, 2));
    assert_eq!((actual.moves, actual.pruned), (2, 0));
    assert!((actual.mean_depth() - 1.9).abs() < 1e-12);
}

/// Paper `mcts-dynamic-ucb`, Algorithm 1: the move of the best mean is played, which is not always
/// the one that was tried most.
#[test]
fn the_best_mean_is_played_where_that_is_asked_for() {
    let (mut random, mut differ) = (Random::new(8), 0);
    for n in 0..300 {
        let text = format!("{} 1 1", random_literal(&mut random, 3));
        let settings = MctsSettings { trees: 1 + n % 2, ..MctsSettings::default() };
        let most: Analysis<Literal> = ask(&mut player(2.0, settings), &text, playouts(30));
        let settings = MctsSettings { choice: FinalMove::BestMean, ..settings };
        let best: Analysis<Literal> = ask(&mut player(2.0, settings), &text, playouts(30));
        // The trees are the same; only the order of the moves is not.
        let highest = most.moves.iter().filter_map(|scored| scored.value).fold(0.0, f32::max);
        assert_eq!(best.moves[0].value, Some(highest), "{text}");
        assert!(best.moves.iter().all(|scored| most.moves.contains(scored)), "{text}");
        assert_eq!(best.line[0].1, best.moves[0].mv);
        differ += u32::from(best.moves[0].mv != most.moves[0].mv);
    }
    assert!(differ > 5, "{differ}");
}

#[test]
fn a_tuned_search_says_which_c_it_came_to() {
    let c = |window, trees| {
        let windowed = DynamicUcb::new(0.7, window, 0.1);
        let player = Mcts::new(windowed, FullPlayout(Uniform), playouts(2000), Random::new(1));
        let mut player = player.with(MctsSettings { trees, ..MctsSettings::default() });
        ask::<Literal>(&mut player, "{[{[+-]}{[-+-]}{[=]}]} 1 1", Budget::default());
        let statistics = Agent::statistics(&player);
        statistics.iter().find(|entry| entry.name == "c at the end").unwrap().value
    };
    // 2,000 playouts are 20 measurements, or 10 for each of two trees.
    assert!((c(20, 1) - 0.7).abs() < 1e-6 && (c(10, 2) - 0.7).abs() < 1e-6);
    assert!((c(5, 1) - 0.7).abs() > 1e-4 && (0.1..=3.0).contains(&c(5, 1)), "{}", c(5, 1));
    assert!((c(5, 1) - c(5, 2)).abs() > 1e-6);
    let mut fixed = player::<Literal>(1.0, MctsSettings::default());
    ask(&mut fixed, "{[+-]} 1 1", playouts(500));
    assert!(Agent::statistics(&fixed).iter().all(|entry| entry.name != "c at the end"));
}
