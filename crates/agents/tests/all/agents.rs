//! The conformance test of agents: every agent with a name, on every game, in random positions and with every
//! kind of budget, down to an empty one.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use wurfel_agents::{Catalogued, Spec, UseGame, agents, build, games, with_game};
use wurfel_core::{Budget, Game, Random, Turn, draw};
use wurfel_games::Playable;
use wurfel_games::einstein::Einstein;

use crate::specs::error;

static STOP: AtomicBool = AtomicBool::new(true);

fn budgets() -> [Budget<'static>; 6] {
    let open = Budget::default();
    [
        Budget { depth: Some(1), nodes: Some(100), ..open },
        Budget { depth: Some(2), nodes: Some(200), ..open },
        Budget { nodes: Some(1), ..open },
        Budget { nodes: Some(100), ..open },
        Budget { depth: Some(40), nodes: Some(1 << 40), stop: Some(&STOP), ..open },
        // This comes last, because the random streams of the two agents differ after it.
        Budget { time: Some(Duration::from_millis(1)), ..open },
    ]
}

/// A position after some random moves, and a roll in it.
fn somewhere<G: Playable>(rules: &G, random: &mut Random) -> (G, G::Roll) {
    loop {
        let mut position = rules.setup(random);
        for _ in 0..random.below(24) {
            let mut roll = Some(draw(position.rolls().as_ref(), random));
            while let Some(rolled) = roll {
                let mv = position.pick(rolled, random).unwrap();
                roll = position.play(rolled, mv);
            }
            if position.outcome().is_some() {
                break;
            }
        }
        if position.outcome().is_none() {
            let roll = draw(position.rolls().as_ref(), random);
            return (position, roll);
        }
    }
}

struct Conforms<'a> {
    spec: &'a str,
}

impl UseGame for Conforms<'_> {
    type Output = ();

    fn with<G: Catalogued>(self, rules: &G) {
        let spec: Spec = self.spec.parse().unwrap();
        let factory = build(rules, &spec).unwrap();
        let [mut agent, mut again] = [factory(), factory()];
        let mut random = Random::new(7);
        // A second game shows whether an agent starts afresh.
        for game in 0..2 {
            agent.begin(Random::new(game));
            again.begin(Random::new(game));
            for budget in budgets() {
                let (position, roll) = somewhere(rules, &mut random);
                let turn = Turn { position: &position, roll };
                let at = format!("{spec} in {position} with {roll} and {budget:?}");
                let decision = agent.decide(turn, budget);
                assert!(turn.moves().as_ref().contains(&decision.mv), "illegal: {at}");
                assert!(decision.value.is_none_or(|value| (0.0..=1.0).contains(&value)), "{at}");
                if budget.time.is_none() {
                    assert_eq!(again.decide(turn, budget), decision, "not reproducible: {at}");
                }

                let analysis = agent.analyse(turn, budget);
                again.analyse(turn, budget);
                let mut scored: Vec<String> =
                    analysis.moves.iter().map(|scored| scored.mv.to_string()).collect();
                let mut legal: Vec<String> =
                    turn.moves().as_ref().iter().map(ToString::to_string).collect();
                scored.sort();
                legal.sort();
                assert_eq!(scored, legal, "not every move is scored once: {at}");
                assert_eq!(analysis.line[0], (roll, analysis.moves[0].mv), "{at}");
            }
        }
    }
}

#[test]
fn every_agent_conforms_on_every_game() {
    let variants = [
        "uct:playout=greedy",
        "uct:playout=eval,c=0",
        "uct:cut=4",
        "uct:playout=greedy,cut=1,bias=0.5",
        "uct:tree=open",
        "uct:play=mean,trees=2",
        "uct:solver=yes,trees=2",
        "uct:reuse=yes,solver=yes",
        "uct:tree=open,reuse=yes,trees=3",
        "dynamic:window=1,decay=0,tree=open",
        "hpmcts:prune=0,k=0,reuse=yes",
        "hpmcts:prune=none,playout=eval,trees=5",
        "hpmcts:scale=turn,delta=0,kmin=1,prune=0",
        "hpmcts:scale=probability,cut=3",
        "flat:cut=3",
        "star2:hash=1,nodes=2000",
        "dfs:depth=9,nodes=300",
        "bfs:nodes=50",
        "hybrid:episodes=1",
        "qlearning:length=5,learning-rate=1,discount=0",
        "qlearning:episodes=9,opponent=uct:playouts=3+c=2,pieces=10",
        "qlearning:epsilon=0.5,epsilon-decay=0.1,epsilon-min=0",
        "alphazero:net=uniform,simulations=5,gumbel=3,noise=yes",
        "alphazero:net=uniform,simulations=20,fpu=even",
        "alphazero:precision=int8,simulations=20",
        "alphazero:tree=open,simulations=20,batch=4",
        "alphazero:tree=open,simulations=8,gumbel=3",
        "uct:ones=yes,c=2",
        "dynamic:rate=performance,window=1",
        "policy:precision=int8",
        "champion:nodes=3000,hash=1",
    ];
    for game in games() {
        let analysers =
            game.evaluations.iter().map(|known| format!("bfs:nodes=50,eval={}", known.name));
        // This agent learns from scratch at every leaf, so its variant learns less to keep the test short.
        let names =
            agents().map(|agent| agent.name).filter(|name| !["hybrid", "cmd"].contains(name));
        let names = names.chain(variants).map(str::to_owned);
        // Agents do not know rule sets, so one of each shape of game has them all, and the others a part.
        let step = if ["einstein", "dicechess", "dicechess3"].contains(&game.name) { 1 } else { 8 };
        for spec in names.chain(analysers).step_by(step) {
            with_game(game.name, Conforms { spec: &spec }).unwrap();
        }
    }
}

/// Unless its spec says something else, the champion is `star2` with the learned evaluation and a million
/// nodes.
#[test]
fn the_champion_is_made_of_known_parts() {
    let position = Einstein::default();
    let turn = Turn { position: &position, roll: position.rolls()[3].item };
    let decide = |spec: &str, budget: Budget| {
        let mut agent = build(&Einstein::default(), &spec.parse().unwrap()).unwrap()();
        agent.begin(Random::new(0));
        agent.decide(turn, budget)
    };
    let open = Budget::default();
    let few = Budget { nodes: Some(5000), ..open };
    let champion = decide("champion", open);
    assert_eq!(champion, decide("star2:eval=learned,nodes=1000000", open));
    assert!(champion.nodes > 900_000, "{champion:?}");
    assert_eq!(decide("champion", few), decide("star2:eval=learned", few));
    assert_eq!(decide("champion:depth=2", few), decide("star2:eval=learned,depth=2", open));
    assert_ne!(decide("champion", few).value, decide("star2", few).value);
    // At a fixed depth, the number of threads changes neither the move nor its value.
    let (one, three) = ("champion:depth=6", "champion:depth=6,threads=3");
    let (one, three) = (decide(one, open), decide(three, open));
    assert_eq!((one.mv, one.depth), (three.mv, three.depth));
    assert!((one.value.unwrap() - three.value.unwrap()).abs() < 1e-5);
}

/// Gumbel noise is meant for self-play, so matches and analyses have it only on request.
#[test]
fn gumbel_has_noise_only_when_it_is_asked_for() {
    let position = Einstein::default();
    let turn = Turn { position: &position, roll: position.rolls()[3].item };
    let analyses = |option: &str| {
        let spec = format!("alphazero:net=uniform,simulations=8,gumbel=2{option}");
        let mut agent = build(&Einstein::default(), &spec.parse().unwrap()).unwrap()();
        let mut analyse = |seed| {
            agent.begin(Random::new(seed));
            let moves = agent.analyse(turn, Budget::default()).moves;
            moves.iter().map(|scored| (scored.mv, scored.value)).collect::<Vec<_>>()
        };
        (0..20).map(&mut analyse).collect::<Vec<_>>()
    };
    let calm = analyses(",noise=no");
    assert!(calm.iter().all(|moves| *moves == calm[0]), "{calm:?}");
    assert_eq!(analyses(""), calm);
    let noisy = analyses(",noise=yes");
    assert!(noisy.iter().any(|moves| *moves != noisy[0]), "{noisy:?}");
    let alone: Spec = "alphazero:simulations=8,noise=yes".parse().unwrap();
    let refused = build(&Einstein::default(), &alone).err().unwrap().to_string();
    assert!(refused.ends_with("noise=yes: expected gumbel beside noise"), "{refused}");
}

#[test]
fn agents_that_keep_their_trees_play_whole_games() {
    let mut random = Random::new(4);
    for spec in
        ["uct:reuse=yes,solver=yes,playouts=200", "uct:reuse=yes,tree=open,trees=2,playouts=200"]
    {
        let mut agents =
            [0, 1].map(|_| build(&Einstein::default(), &spec.parse::<Spec>().unwrap()).unwrap()());
        for game in 0..20 {
            for agent in &mut agents {
                agent.begin(Random::new(game));
            }
            let mut position = Einstein::default().setup(&mut random);
            while position.outcome().is_none() {
                let roll = draw(Einstein::DICE, &mut random);
                let turn = Turn { position: &position, roll };
                let agent = &mut agents[position.side().index()];
                let decision = agent.decide(turn, Budget::default());
                assert!(turn.moves().as_ref().contains(&decision.mv), "{spec}: {position}");
                assert!(decision.nodes <= 200);
                position.play(roll, decision.mv);
            }
        }
    }
}

#[test]
fn mistakes_in_options_are_named() {
    for (options, message) in [
        ("uct:tree=half", "unknown tree 'half': expected one of closed, open"),
        ("uct:tree=open,solver=yes", "solver=yes: expected no with tree=open"),
        ("uct:solver=maybe", "solver=maybe: expected yes or no"),
        ("uct:play=best", "unknown play 'best': expected one of visits, mean"),
        ("uct:reuse=1", "reuse=1: expected yes or no"),
        ("uct:trees=0", "trees=0: expected a whole number from 1 to 64"),
        ("uct:cut=0", "cut=0: expected a whole number from 1 to 1,000"),
        ("uct:playout=eval,cut=3", "cut=3: expected no cut with playout=eval"),
        ("uct:bias=-1", "bias=-1: expected a number from 0 to 100"),
        ("uct:eval=zweisten", "unknown evaluation 'zweisten': did you mean 'zweistein'?"),
        ("alphazero:fpu=odd", "fpu=odd: expected even or a number from 0 to 1"),
        ("alphazero:tree=half", "unknown tree 'half': expected one of closed, open"),
        ("alphazero:tree=open,reuse=yes", "reuse=yes: expected no with tree=open"),
        ("alphazero:tree=open,afterstates=yes", "afterstates=yes: expected no with tree=open"),
        ("dynamic:rate=fast", "unknown rate 'fast': expected one of constant, performance"),
        ("dynamic:window=0", "window=0: expected a whole number from 1 to 1,000"),
        ("dynamic:decay=x", "decay=x: expected a number from 0 to 10"),
        ("dynamic:bias=1", "unknown option 'bias'"),
        (
            "qlearning:opponent=gredy",
            "opponent=gredy: expected an agent (agent 'gredy': unknown agent 'gredy': did you mean \
             'greedy'?)",
        ),
        (
            "hybrid:opponent=uct:playouts=0+c=1",
            "opponent=uct:playouts=0+c=1: expected an agent (agent 'uct:playouts=0,c=1': playouts=0: \
             expected a whole number from 1 to 4,294,967,295)",
        ),
        ("qlearning:epsilon-min=2", "epsilon-min=2: expected a number from 0 to 1"),
        ("qlearning:epsilon=-1", "epsilon=-1: expected a number from 0 to 1"),
        ("qlearning:pieces=1001", "pieces=1001: expected a number from 0 to 1,000"),
        ("hpmcts:lambda=2", "lambda=2: expected a number from 0 to 1"),
        ("hpmcts:prune=lots", "prune=lots: expected light, heavy, none or a number from 0 to 10"),
        ("hpmcts:scale=log", "unknown scale 'log': expected one of points, turn, probability"),
        (
            "hpmcts:eval=zweistein,scale=points",
            "unknown scale 'points': expected one of turn, probability",
        ),
        ("hpmcts:delta=11", "delta=11: expected a number from 0 to 10"),
        ("hpmcts:kmin=0", "kmin=0: expected a whole number from 1 to 64"),
        ("hpmcts:gamma=-1", "gamma=-1: expected a number from 0 to 10"),
        ("hpmcts:eval=odema,alpha=1", "alpha=1: expected eval=composite beside it"),
    ] {
        let actual = error(options);
        assert!(actual.starts_with(&format!("agent '{options}': {message}")), "{actual}");
    }
}

/// The gaps between moves are small on the scale of win probability. With δ on that scale, `hpmcts` pruned
/// hardly any move with the evaluation of its paper, whatever η was.
#[test]
fn hpmcts_prunes_with_the_evaluation_of_its_paper() {
    let position: Einstein = "ABC2/DE3/F3f/3ed/2cba r".parse().unwrap();
    let turn = Turn { position: &position, roll: position.rolls()[3].item };
    let pruned = |options: &str| {
        let spec = format!("hpmcts:playouts=5000{options}");
        let mut agent = build(&Einstein::default(), &spec.parse().unwrap()).unwrap()();
        agent.begin(Random::new(1));
        agent.analyse(turn, Budget::default());
        let statistics = agent.statistics();
        let actual = statistics.iter().find(|entry| entry.name == "per cent pruned").unwrap().value;
        (actual * 1000.0) as u32
    };
    assert!(pruned(",scale=probability") < 1000);
    for scale in ["", ",scale=turn"] {
        let [light, usual, heavy] =
            ["light", "1", "heavy"].map(|eta| pruned(&format!("{scale},prune={eta}")));
        assert!(light > usual && usual > heavy && heavy > 3000, "{scale}: {light} {usual} {heavy}");
    }
    assert_eq!(pruned(""), pruned(",eval=composite,scale=points,prune=1,delta=0.15,kmin=2"));
    assert!(pruned(",delta=0") > pruned(",delta=0.15"));
    assert!(pruned(",delta=0,prune=0,kmin=1") > pruned(",delta=0,prune=0"));
    // In the points of the paper, an evaluation of one side differs from the difference of both.
    assert_ne!(pruned(""), pruned(",gamma=0"));
    assert_ne!(pruned(",scale=turn"), pruned(",scale=turn,eval=zweistein"));
}
