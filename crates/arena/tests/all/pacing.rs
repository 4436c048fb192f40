//! Every agent that accepts a total time for a game stays within it.

use std::time::Duration;

use wurfel_agents::{Factory, agents, build};
use wurfel_arena::{PlayedMove, Recorder, play};
use wurfel_core::{Agent, Budget, BySide, FairDice, Game, Random};
use wurfel_engines::waited_for_cpu;
use wurfel_games::einstein::Einstein;
use wurfel_search::Allotment;

/// How late a search may notice that its time is up.
const MARGIN: Duration = Duration::from_millis(150);

/// How many attempts a game has, because a machine may be suspended as a whole, which its kernel
/// does not count. A search that does not look at its clock fails all of them.
const TRIES: u64 = 10;

/// Follows the clock of each side.
struct Clocks {
    total: Duration,
    /// Whether every single move and the total of each side were in time.
    in_time: bool,
    spent: BySide<Duration>,
    allotments: BySide<Allotment>,
    /// How long this thread, which all agents of the test think on, had waited for a CPU when the
    /// last move was made.
    waited: Duration,
}

impl Clocks {
    fn new(total: Duration) -> Self {
        Self {
            total,
            in_time: true,
            spent: BySide::from_fn(|_| Duration::ZERO),
            allotments: BySide::from_fn(|_| Allotment::new(total)),
            waited: waited_for_cpu(),
        }
    }
}

impl Recorder<Einstein> for Clocks {
    fn record_move(&mut self, played: &PlayedMove<'_, Einstein>) {
        let side = played.position.side();
        let waited = waited_for_cpu();
        // Without what it waited for a CPU, which it cannot help.
        let own = played.time.saturating_sub(waited.saturating_sub(self.waited));
        self.waited = waited;
        let allowed = self.allotments[side].next();
        self.in_time &= own <= allowed + MARGIN;
        self.allotments[side].spend(played.time);
        self.spent[side] += own;
        self.in_time &= self.spent[side] <= self.total + MARGIN;
    }
}

/// Whether both agents stay within their time in a game.
fn keeps(factory: &Factory<Einstein>, total: Duration, seed: u64) -> bool {
    let [mut red, mut blue] = [factory(), factory()];
    red.begin(Random::new(seed));
    blue.begin(Random::new(seed));
    let players: BySide<&mut dyn Agent<Einstein>> = BySide::new(&mut *red, &mut *blue);
    let mut clocks = Clocks::new(total);
    let (start, mut dice) = (Einstein::default(), FairDice::new(seed));
    let ending = play(start, players, &mut dice, Budget::default(), &mut clocks).unwrap();
    clocks.in_time && ending.failure.is_none()
}

#[test]
fn no_game_takes_longer_than_its_total_time() {
    for agent in agents().filter(|agent| agent.name != "cmd") {
        if agent.options.iter().any(|option| option.name == "total") {
            for total in [1, 200] {
                let spec = format!("{}:total={total}ms", agent.name);
                let factory = build(&Einstein::default(), &spec.parse().unwrap()).unwrap();
                let total = Duration::from_millis(total);
                // On a quiet machine this is two games.
                let in_time =
                    (0..TRIES).filter(|&seed| keeps(&factory, total, seed)).take(2).count();
                assert_eq!(in_time, 2, "{spec}");
            }
        }
    }
}

#[test]
fn a_total_time_stands_beside_bounds_on_each_move() {
    let bounds = |spec: &str| {
        let factory = build(&Einstein::default(), &spec.parse().unwrap()).unwrap();
        factory().bounds(Budget { time: Some(Duration::from_secs(1)), ..Budget::default() })
    };
    // A fifteenth of 30 s is 2 s. The match allows 1 s, and the other spec half a second.
    assert_eq!(bounds("star2:total=30s").time, Some(Duration::from_secs(1)));
    assert_eq!(bounds("star2:total=3s").time, Some(Duration::from_millis(200)));
    assert_eq!(bounds("star2:total=30s,time=500ms").time, Some(Duration::from_millis(500)));
    let both = bounds("minimax:total=3s,depth=3");
    assert_eq!((both.depth, both.time), (Some(3), Some(Duration::from_millis(200))));
    let both = bounds("alphazero:net=uniform,total=3s,simulations=7");
    assert_eq!((both.nodes, both.time), (Some(7), Some(Duration::from_millis(200))));
}
