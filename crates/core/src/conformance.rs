//! The conformance kit: the contract of [`Game`] as code that checks it.
//!
//! Every game runs [`check`] on positions of its own. Every search relies on the clauses that are
//! checked here, in these positions and along random games from them.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

use crate::{Fan, Game, Outcome, Random, Situation, Weighted};

/// Checks the contract of [`Game`] in each of `positions` and along one random game from each of
/// them.
///
/// # Panics
/// When the contract does not hold; the message names the broken clause and the position.
pub fn check<G: Game>(positions: impl IntoIterator<Item = G>, random: &mut Random) {
    for mut position in positions {
        while position.outcome().is_none() {
            check_position(&position);
            check_draw(&position, random);
            let roll = crate::draw(position.rolls().as_ref(), random);
            let mut rest = Some(roll);
            while let Some(roll) = rest {
                let mv = *random.pick(position.moves(roll).as_ref());
                rest = position.play(roll, mv);
            }
        }
        check_text(&position, None);
    }
}

fn check_position<G: Game>(position: &G) {
    check_text(position, None);
    let rolls = position.rolls();
    let rolls = rolls.as_ref();
    assert!(!rolls.is_empty(), "no roll before the end: {position}");
    check_dice(position, rolls);
    check_fan(position, rolls);
    check_winning_rolls(position, rolls);
    for roll in rolls {
        check_text(position, Some(roll.item));
        check_moves(position, roll.item);
    }
}

/// Checks that each roll comes up in proportion to its weight, and that the game consumes the same
/// random numbers as [`draw_index`](crate::draw_index).
fn check_draw<G: Game>(position: &G, random: &mut Random) {
    let rolls = position.rolls();
    let rolls = rolls.as_ref();
    let expected = crate::draw_index(rolls, &mut random.clone());
    let (place, roll) = position.draw_roll(random);
    assert_eq!(place, expected, "the roll that is drawn: {position}");
    let moves = [roll, rolls[place].item].map(|roll| position.moves(roll));
    let [generated, stated] = moves.each_ref().map(AsRef::as_ref);
    assert_eq!(generated, stated, "the moves of {roll}: {position}");
}

/// The moves of a roll; for each the position it leads to and the rest of the roll, if the same
/// side goes on.
type Moves<G> = Vec<(<G as Game>::Move, G, Option<<G as Game>::Roll>)>;

/// Checks that every usable face has the same moves as one of the rolls, and that each roll has the
/// weights of its faces added up. Rolls with the same moves must be merged, unless there are turns
/// of several moves.
fn check_dice<G: Game>(position: &G, rolls: &[Weighted<G::Roll>]) {
    let lead = |roll| -> Moves<G> {
        let play = |&mv: &G::Move| {
            let mut next = position.clone();
            let rest = next.play(roll, mv);
            (mv, next, rest)
        };
        position.moves(roll).as_ref().iter().map(play).collect()
    };
    let allowed: Vec<Moves<G>> = rolls.iter().map(|roll| lead(roll.item)).collect();
    let single = allowed.iter().flatten().all(|(.., rest)| rest.is_none());
    // Rolls with the same moves are counted together, at the first of them.
    let first = |wanted: &Moves<G>| allowed.iter().position(|known| known == wanted);
    let (mut stated, mut seen) = (vec![0; rolls.len()], vec![0; rolls.len()]);
    for (n, roll) in rolls.iter().enumerate() {
        let same = first(&allowed[n]).unwrap_or(n);
        assert!(same == n || !single, "equal rolls not merged: {position}");
        stated[same] += roll.weight;
    }
    for face in G::DICE {
        assert!(face.weight > 0, "a face without weight: {:?}", face.item);
        let expected = lead(face.item);
        assert_eq!(position.count(face.item), expected.len(), "{} in {position}", face.item);
        if !expected.is_empty() {
            let same = first(&expected).unwrap_or_else(|| {
                panic!("{} has moves that no roll has: {position}", face.item);
            });
            seen[same] += face.weight;
        }
    }
    assert_eq!(stated, seen, "weights of the merged rolls: {position}");
}

/// Checks that the fan has the position's rolls with their weights, and for each roll the ends that
/// [`Game::ends`] visits, which must be those that playing every sequence of moves leads to.
fn check_fan<G: Game>(position: &G, rolls: &[Weighted<G::Roll>]) {
    let mut fan = Fan::default();
    position.fan(&mut fan);
    assert_eq!(fan.rolls().len(), rolls.len(), "rolls of the fan: {position}");
    for (in_fan, roll) in fan.rolls().iter().zip(rolls) {
        assert_eq!(in_fan.weight, roll.weight, "weight of {} in the fan: {position}", roll.item);
        let groups = (0..fan.groups()).filter(|group| in_fan.groups >> group & 1 == 1);
        let mut all = HashSet::new();
        every_end(position, roll.item, &mut all);
        let mut visits: HashMap<G, u32> = HashMap::new();
        position.ends(roll.item, |end| *visits.entry(end.clone()).or_default() += 1);
        let different: HashSet<G> = visits.keys().cloned().collect();
        assert_eq!(different, all, "ends with {}: {position}", roll.item);
        for end in groups.flat_map(|group| &fan.ends()[fan.group(group)]) {
            let left = visits.get_mut(end).and_then(|left| left.checked_sub(1).map(|n| *left = n));
            assert!(left.is_some(), "{end} is in the fan for {} too often: {position}", roll.item);
        }
        let missing = visits.values().any(|&left| left > 0);
        assert!(!missing, "{} misses an end in the fan: {position}", roll.item);
    }
}

/// Checks that a roll is listed as winning exactly when at least one turn with it wins.
fn check_winning_rolls<G: Game>(position: &G, rolls: &[Weighted<G::Roll>]) {
    let Some(winning) = position.winning_rolls() else { return };
    let won = Some(Outcome::Win(position.side()));
    for roll in rolls {
        let mut wins = false;
        position.ends(roll.item, |end| wins |= end.outcome() == won);
        let (roll, listed) = (roll.item, winning.contains(&roll.item));
        assert_eq!(listed, wins, "whether {roll} wins: {position}");
    }
}

/// Adds the position at the end of every sequence of moves with a roll to `ends`.
fn every_end<G: Game>(position: &G, roll: G::Roll, ends: &mut HashSet<G>) {
    for &mv in position.moves(roll).as_ref() {
        let mut next = position.clone();
        match next.play(roll, mv) {
            Some(rest) => every_end(&next, rest, ends),
            None => drop(ends.insert(next)),
        }
    }
}

fn check_moves<G: Game>(position: &G, roll: G::Roll) {
    let moves = position.moves(roll);
    let moves = moves.as_ref();
    assert!(!moves.is_empty(), "{roll} has no move: {position}");
    for (n, &mv) in moves.iter().enumerate() {
        assert!(!moves[..n].contains(&mv), "{mv} is listed twice: {position}");
        let seen = position.find_move(roll, &mv.to_string());
        assert_eq!(seen, Ok(mv), "a move that is generated is not read: {position}");
        check_play(position, roll, mv);
    }
}

fn check_play<G: Game>(position: &G, roll: G::Roll, mv: G::Move) {
    let mut next = position.clone();
    let rest = next.play(roll, mv);
    let mut again = position.clone();
    assert_eq!(again.try_play(roll, mv), Ok(rest), "play and try_play differ: {position}");
    assert_eq!(next, again, "play and try_play differ: {position}");
    match (rest, next.outcome()) {
        (Some(rest), end) => {
            assert_eq!(end, None, "the game ends amid a turn: {position}, {mv}");
            assert_eq!(next.side(), position.side(), "{mv} lets the other side go on");
            assert!(!next.moves(rest).as_ref().is_empty(), "nothing to go on with: {position}");
        }
        (None, Some(Outcome::Win(_) | Outcome::Draw) | None) => {
            assert_eq!(next.side(), !position.side(), "sides alternate: {position}, {mv}");
            assert_eq!(next.ply(), position.ply() + 1, "a turn is a ply: {position}, {mv}");
        }
    }
}

fn check_text<G: Game>(position: &G, roll: Option<G::Roll>) {
    let situation = Situation { position: position.clone(), roll };
    let text = situation.to_string();
    let read = position.read_alike(&text);
    assert_eq!(read.as_ref(), Ok(&situation), "the text does not come back: {text}");
    let again = read.map(|read| read.to_string());
    assert_eq!(again.as_deref(), Ok(text.as_str()), "the text changes when it is read");
    if let Some(roll) = roll {
        same_text(roll);
    } else {
        assert_eq!(
            text.parse(),
            G::read(&text).map(|read| read.position),
            "FromStr and read differ"
        );
        assert_eq!(position.to_string(), text, "Display and write differ");
    }
}

fn same_text<T>(value: T)
where
    T: Clone + PartialEq + Debug + ToString + std::str::FromStr<Err: Debug + PartialEq>,
{
    let text = value.to_string();
    assert_eq!(text.parse(), Ok(value), "the text does not come back: {text}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Literal;

    #[test]
    fn literals_conform() {
        let games = [
            "{[+-][--]}",
            "{[{[+=][-][-]}][+]}",
            "{3[[+-]{[-]}]1[[[++]-]]2[]}",
            "{[{[{[+]}]}]} 2",
            "=",
        ];
        let mut random = Random::new(1);
        for _ in 0..20 {
            check(games.iter().map(|game| game.parse::<Literal>().unwrap()), &mut random);
        }
    }

    #[test]
    #[should_panic(expected = "equal rolls not merged")]
    fn the_kit_sees_rolls_that_should_be_merged() {
        check(
            ["{[][]3[]3[]}".replace("3[]", "2[+]")].map(|_| Unmerged::default()),
            &mut Random::new(1),
        );
    }

    /// A game with two rolls that allow the same move.
    type Unmerged = broken::Broken;

    mod broken {
        use crate::*;
        use std::fmt;
        use std::str::FromStr;

        #[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
        pub struct Broken(Literal);

        impl fmt::Display for Broken {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.write(None, f)
            }
        }

        impl FromStr for Broken {
            type Err = NotationError;
            fn from_str(text: &str) -> Result<Self, NotationError> {
                Situation::at_rest(text)
            }
        }

        impl Game for Broken {
            type Roll = LiteralRoll;
            type Move = LiteralMove;
            type Rolls = Vec<Weighted<LiteralRoll>>;
            type Moves = Vec<LiteralMove>;
            const DICE: &'static [Weighted<LiteralRoll>] = Literal::DICE;
            fn side(&self) -> Side {
                self.0.side()
            }
            fn outcome(&self) -> Option<Outcome> {
                self.0.outcome()
            }
            fn rolls(&self) -> Self::Rolls {
                Literal::DICE.to_vec()
            }
            fn moves(&self, roll: LiteralRoll) -> Self::Moves {
                self.0.moves(roll)
            }
            fn play(&mut self, roll: LiteralRoll, mv: LiteralMove) -> Option<LiteralRoll> {
                self.0.play(roll, mv)
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
    }
}
