//! Reviews: what each move of a game lost, and how lucky each throw was.
//!
//! A judge, any agent that tells what it thinks of every move, sees each position of
//! the game before its throw and judges every throw. With
//!
//! * *V* the mean over the throws of the value after the best move for each,
//! * *B* the value after the best move for the throw that fell,
//! * *M* the value after the move that was made, by the same search as *B*,
//! * *V′* the value of the next position, judged there, or the result,
//!
//! all for the side that moves, the **luck** of the throw is *B* − *V*, the move **lost**
//! *B* − *M*, and the **skill** of the turn is *V′* − *B*. Luck and skill add up to the final
//! value less the initial one, whoever judges. Skill is what was lost, and *V′* − *M*: what the
//! judge thinks of the same position one turn later. With exact values that is 0; how
//! large it is shows how far the judge can be trusted. The terms are those of GNU
//! Backgammon.

use wurfel_game::{
    Agent, Assessment, Budget, BySide, Game, Random, Side, Situation, Turn, Weighted,
};
use wurfel_games::{Playable, Transcript};

use crate::agents::Factory;
use crate::archive::Filed;
use crate::ordered::ordered;

/// How bad a move was, by the win probability that it lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// At least 0.02.
    Doubtful,
    /// At least 0.04.
    Error,
    /// At least 0.08.
    Blunder,
}

impl Mark {
    /// All marks with the least loss that earns each, the worst first.
    pub const BOUNDS: [(Mark, f64); 3] =
        [(Mark::Blunder, 0.08), (Mark::Error, 0.04), (Mark::Doubtful, 0.02)];

    /// The mark of a move that lost this.
    pub fn of(lost: f64) -> Option<Self> {
        Self::BOUNDS.into_iter().find(|&(_, least)| lost >= least).map(|(mark, _)| mark)
    }

    /// The sign that stands behind a move: `?!`, `?`, `??`.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Doubtful => "?!",
            Self::Error => "?",
            Self::Blunder => "??",
        }
    }
}

/// How lucky a throw was, by the win probability that it brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LuckMark {
    /// At least 0.3.
    VeryLucky,
    /// At least 0.15.
    Lucky,
    /// At most −0.15.
    Unlucky,
    /// At most −0.3.
    VeryUnlucky,
}

impl LuckMark {
    /// The mark of a throw that brought this.
    pub fn of(luck: f64) -> Option<Self> {
        match luck {
            0.3.. => Some(Self::VeryLucky),
            0.15.. => Some(Self::Lucky),
            ..=-0.3 => Some(Self::VeryUnlucky),
            ..=-0.15 => Some(Self::Unlucky),
            _ => None,
        }
    }

    /// The sign that stands behind a throw: `++`, `+`, `-`, `--`.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::VeryLucky => "++",
            Self::Lucky => "+",
            Self::Unlucky => "-",
            Self::VeryUnlucky => "--",
        }
    }
}

/// A decision as the judge sees it. All values are those of the side that **decides**.
#[derive(Clone, PartialEq, Debug)]
pub struct Decided<G: Game> {
    /// The position with the throw, or with what was left of it.
    pub situation: Situation<G>,
    /// What was decided.
    pub mv: G::Move,
    /// *V*: the value before the throw; `None` amid a turn, where nothing is thrown.
    pub before: Option<f64>,
    /// Every legal move with its value, the best first.
    pub moves: Vec<Assessment<G::Move>>,
    /// *V′*: the value of the next position, judged there.
    pub after: f64,
}

impl<G: Game> Decided<G> {
    /// The side that decides.
    pub fn side(&self) -> Side {
        self.situation.position.side()
    }

    /// *B*: the value after the best move.
    pub fn best(&self) -> f64 {
        worth(&self.moves[0])
    }

    /// *M*: the value after the move that was made.
    pub fn made(&self) -> f64 {
        let made = self.moves.iter().find(|judged| judged.mv == self.mv);
        made.map_or(0.0, worth)
    }

    /// The win probability that the move lost, at least 0.
    pub fn lost(&self) -> f64 {
        self.best() - self.made()
    }

    /// The luck of the throw.
    pub fn luck(&self) -> f64 {
        self.before.map_or(0.0, |before| self.best() - before)
    }

    /// What the value changed by without luck.
    pub fn skill(&self) -> f64 {
        self.after - self.best()
    }

    /// Whether there was a choice.
    pub fn unforced(&self) -> bool {
        self.moves.len() > 1
    }

    /// Whether the values of all moves are the true ones.
    pub fn exact(&self) -> bool {
        self.moves.iter().all(|judged| judged.exact)
    }
}

/// What the decisions of one player come to.
#[derive(Clone, Copy, PartialEq, Debug, Default, serde::Serialize)]
pub struct Totals {
    /// Decisions between several moves.
    pub unforced: u64,
    /// The win probability that they lost.
    pub lost: f64,
    /// The luck of the player's throws.
    pub luck: f64,
    /// The skill of the player's turns.
    pub skill: f64,
    /// Doubtful moves.
    pub doubtful: u64,
    /// Errors.
    pub errors: u64,
    /// Blunders.
    pub blunders: u64,
}

impl Totals {
    fn add<G: Game>(&mut self, decided: &Decided<G>) {
        self.luck += decided.luck();
        self.skill += decided.skill();
        if decided.unforced() {
            self.unforced += 1;
            self.lost += decided.lost();
        }
        match Mark::of(decided.lost()) {
            Some(Mark::Doubtful) => self.doubtful += 1,
            Some(Mark::Error) => self.errors += 1,
            Some(Mark::Blunder) => self.blunders += 1,
            None => {}
        }
    }

    /// The totals of two games.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            unforced: self.unforced + other.unforced,
            lost: self.lost + other.lost,
            luck: self.luck + other.luck,
            skill: self.skill + other.skill,
            doubtful: self.doubtful + other.doubtful,
            errors: self.errors + other.errors,
            blunders: self.blunders + other.blunders,
        }
    }

    /// The win probability lost by a decision between several moves; `None` without
    /// one.
    pub fn error_rate(&self) -> Option<f64> {
        (self.unforced > 0).then(|| self.lost / self.unforced as f64)
    }

    /// What that is called.
    pub fn grade(&self) -> Option<&'static str> {
        self.error_rate().map(grade)
    }
}

/// The most that a decision may lose on average for each grade.
///
/// The names are after those of GNU Backgammon; the bounds are this project's own.
pub const GRADES: [(&str, f64); 6] = [
    ("flawless", 0.001),
    ("expert", 0.006),
    ("advanced", 0.015),
    ("intermediate", 0.03),
    ("casual", 0.06),
    ("beginner", f64::INFINITY),
];

/// The grade of a player whose decisions lose this on average.
fn grade(error_rate: f64) -> &'static str {
    GRADES.iter().find(|(_, most)| error_rate <= *most).map_or("", |(name, _)| name)
}

/// A game as the judge sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct Review<G: Game> {
    /// Every decision in order.
    pub decisions: Vec<Decided<G>>,
    /// The value before the first throw, for the **first side**.
    pub initial: f64,
    /// The result, or the value of the last position while it is open, for the
    /// **first side**.
    pub last: f64,
    /// What the decisions of each side come to.
    pub totals: BySide<Totals>,
}

impl<G: Game> Review<G> {
    /// The luck of all throws for the **first side**.
    pub fn luck(&self) -> f64 {
        self.totals[Side::First].luck - self.totals[Side::Second].luck
    }

    /// The skill of all turns for the **first side**.
    pub fn skill(&self) -> f64 {
        self.totals[Side::First].skill - self.totals[Side::Second].skill
    }
}

/// An agent that does not tell what it thinks of every move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "position '{position}': the judge gives no value to {mv}, expected one that judges every move"
)]
pub struct Silent {
    position: String,
    mv: String,
}

/// What reviews games.
pub struct Reviewer<G: Game> {
    /// The judge.
    pub judge: Factory<G>,
    /// What it may spend on a position, shared out among its throws.
    pub budget: Budget,
}

/// A position of a game as the judge sees it. Values are those of the side to move.
struct Judgement<G: Game> {
    /// Before the throw, where one is due.
    before: Option<f64>,
    /// The moves for the throw that fell; none at the end.
    moves: Vec<Assessment<G::Move>>,
}

/// Where a game stood, and what fell.
struct Stop<G: Game> {
    game: usize,
    position: G,
    thrown: bool,
    /// What was thrown, or what was left of it; `None` after the last decision.
    roll: Option<G::Roll>,
}

impl<G: Playable> Reviewer<G> {
    /// Reviews games on `jobs` threads. What it finds does not depend on `jobs`,
    /// unless the judge is bounded by time. `see` gets the number of each game and its
    /// review in order; a false from it ends the work, as `budget.stop` does, with
    /// whole games.
    ///
    /// # Errors
    /// When the judge does not judge every move.
    pub fn run(
        &self,
        games: &[Filed<G>],
        jobs: usize,
        mut see: impl FnMut(usize, Review<G>) -> bool,
    ) -> Result<(), Silent> {
        let stops: Vec<Stop<G>> =
            games.iter().zip(0..).flat_map(|(filed, game)| stops(&filed.game, game)).collect();
        let mut judged: Vec<Judgement<G>> = vec![];
        let mut silent = None;
        ordered(
            0..stops.len() as u64,
            jobs,
            || (self.judge)(),
            |judge, number| {
                let judgement = self.judge(&mut **judge, &stops[number as usize]);
                (!self.budget.stopped()).then_some(judgement)
            },
            |number, judgement| {
                match judgement {
                    Ok(judgement) => judged.push(judgement),
                    Err(error) => {
                        silent = Some(error);
                        return false;
                    }
                }
                let stop = &stops[number as usize];
                let goes_on =
                    stops.get(number as usize + 1).is_some_and(|next| next.game == stop.game);
                goes_on || see(stop.game, review(&games[stop.game].game, judged.drain(..)))
            },
        );
        silent.map_or(Ok(()), Err)
    }

    /// Judges a position by itself: what else was judged changes nothing.
    fn judge(&self, judge: &mut dyn Agent<G>, stop: &Stop<G>) -> Result<Judgement<G>, Silent> {
        let Stop { position, thrown, roll, .. } = stop;
        judge.begin(Random::new(0));
        if position.outcome().is_some() {
            return Ok(Judgement { before: None, moves: vec![] });
        }
        if let (false, Some(rest)) = (thrown, *roll) {
            let turn = Turn { position, roll: rest };
            return Ok(Judgement { before: None, moves: analysed(judge, turn, self.budget)? });
        }
        let rolls = position.rolls();
        let budget = self.budget.split(rolls.as_ref().len() as u32);
        let (mut sum, mut chances, mut moves) = (0.0, 0.0, vec![]);
        for &Weighted { item, weight } in rolls.as_ref() {
            let turn = Turn { position, roll: item };
            let judged = analysed(judge, turn, budget)?;
            sum += f64::from(weight) * worth(&judged[0]);
            chances += f64::from(weight);
            // Of faces that allow the same moves one stands for all.
            let same = |&roll: &G::Roll| position.moves(roll).as_ref() == turn.moves().as_ref();
            if roll.as_ref().is_some_and(same) {
                moves = judged;
            }
        }
        Ok(Judgement { before: Some(sum / chances), moves })
    }
}

/// Every position of a game with what fell there, and the last.
fn stops<G: Game>(game: &Transcript<G>, number: usize) -> Vec<Stop<G>> {
    let mut stops = vec![];
    game.replay(|step| {
        let Turn { position, roll } = step.turn;
        let (position, thrown) = (position.clone(), step.thrown);
        stops.push(Stop { game: number, position, thrown, roll: Some(roll) });
    });
    let (position, roll) = (game.now().clone(), game.rest());
    stops.push(Stop { game: number, position, thrown: roll.is_none(), roll });
    stops
}

fn analysed<G: Game>(
    judge: &mut dyn Agent<G>,
    turn: Turn<'_, G>,
    budget: Budget,
) -> Result<Vec<Assessment<G::Move>>, Silent> {
    let mut moves = judge.analyse(turn, budget).moves;
    // A tree search puts the move first that it has tried most.
    moves.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
    match moves.iter().find(|judged| judged.value.is_none()) {
        None => Ok(moves),
        Some(judged) => {
            let situation = turn.situation();
            Err(Silent { position: situation.to_string(), mv: judged.mv.to_string() })
        }
    }
}

fn worth<M>(judged: &Assessment<M>) -> f64 {
    judged.value.map_or(0.0, f64::from)
}

/// Puts the judgements of a game's positions together.
fn review<G: Playable>(
    game: &Transcript<G>,
    judged: impl Iterator<Item = Judgement<G>>,
) -> Review<G> {
    let judged: Vec<Judgement<G>> = judged.collect();
    // The value of each position for the first side.
    let value = |position: &G, judgement: &Judgement<G>| match position.outcome() {
        Some(outcome) => f64::from(outcome.value_for(Side::First)),
        None => {
            let best = judgement.moves.first().map_or(0.0, worth);
            for_side(position.side(), judgement.before.unwrap_or(best))
        }
    };
    let (mut decisions, mut totals) = (vec![], BySide::<Totals>::default());
    let mut place = 0;
    game.replay(|step| {
        let Turn { position, roll } = step.turn;
        let mut next = position.clone();
        let _ = next.play(roll, step.mv);
        let after = for_side(position.side(), value(&next, &judged[place + 1]));
        let Judgement { before, moves } = &judged[place];
        let situation = Situation { position: position.clone(), roll: Some(roll) };
        let (before, moves) = (*before, moves.clone());
        let decided = Decided { situation, mv: step.mv, before, moves, after };
        totals[position.side()].add(&decided);
        decisions.push(decided);
        place += 1;
    });
    let initial = value(game.start(), &judged[0]);
    let last = value(game.now(), &judged[place]);
    Review { decisions, initial, last, totals }
}

/// A value of the first side as that of `side`, and the other way round.
fn for_side(side: Side, value: f64) -> f64 {
    match side {
        Side::First => value,
        Side::Second => 1.0 - value,
    }
}
