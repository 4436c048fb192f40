//! A total time for a game is kept, by every agent that can be given one.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::time::Duration;

use wurfel_arena::{Factory, Played, Recorder, agents, build, play};
use wurfel_game::{Agent, Budget, BySide, FairDice, Game, Random};
use wurfel_games::einstein::Einstein;
use wurfel_search::Allotment;

/// What a busy machine may take to come back to a search that was due to stop.
const MARGIN: Duration = Duration::from_millis(150);

/// Follows the clock of each side.
struct Clocks {
    total: Duration,
    spent: BySide<Duration>,
    allotments: BySide<Allotment>,
}

impl Clocks {
    fn new(total: Duration) -> Self {
        Self {
            total,
            spent: BySide::from_fn(|_| Duration::ZERO),
            allotments: BySide::from_fn(|_| Allotment::new(total)),
        }
    }
}

impl Recorder<Einstein> for Clocks {
    fn played(&mut self, played: &Played<'_, Einstein>) {
        let side = played.position.side();
        let allowed = self.allotments[side].next();
        assert!(played.time <= allowed + MARGIN, "{:?} of {allowed:?}", played.time);
        self.allotments[side].spend(played.time);
        self.spent[side] += played.time;
        assert!(self.spent[side] <= self.total + MARGIN, "{:?} in all", self.spent[side]);
    }
}

fn keeps(factory: &Factory<Einstein>, total: Duration) {
    let [mut red, mut blue] = [factory(), factory()];
    for game in 0..2 {
        red.begin(Random::new(game));
        blue.begin(Random::new(game));
        let players: BySide<&mut dyn Agent<Einstein>> = BySide::new(&mut *red, &mut *blue);
        let mut dice = FairDice::new(game);
        let mut clocks = Clocks::new(total);
        let ending =
            play(Einstein::default(), players, &mut dice, Budget::default(), &mut clocks).unwrap();
        assert_eq!(ending.fault, None);
    }
}

#[test]
fn no_game_takes_longer_than_its_total_time() {
    for agent in agents() {
        if agent.options.iter().any(|option| option.name == "total") {
            for total in [1, 200] {
                let spec = format!("{}:total={total}ms", agent.name);
                keeps(&build(&spec.parse().unwrap()).unwrap(), Duration::from_millis(total));
            }
        }
    }
}

#[test]
fn a_total_time_stands_beside_bounds_on_each_move() {
    let bounds = |spec: &str| {
        let factory = build::<Einstein>(&spec.parse().unwrap()).unwrap();
        factory().bounds(Budget { time: Some(Duration::from_secs(1)), ..Budget::default() })
    };
    // A fifteenth of 30 s is 2 s; the match allows one, another spec half of it.
    assert_eq!(bounds("star2:total=30s").time, Some(Duration::from_secs(1)));
    assert_eq!(bounds("star2:total=3s").time, Some(Duration::from_millis(200)));
    assert_eq!(bounds("star2:total=30s,time=500ms").time, Some(Duration::from_millis(500)));
    let both = bounds("minimax:total=3s,depth=3");
    assert_eq!((both.depth, both.time), (Some(3), Some(Duration::from_millis(200))));
}
