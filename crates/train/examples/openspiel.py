#!/usr/bin/env python3
"""Games per second that OpenSpiel's AlphaZero plays against itself at EinStein wuerfelt nicht!.

    openspiel.py [SECONDS] [PROCESSES] [SIMULATIONS]

The counterpart of `self_play.rs`, with the same arguments and the same output: a network of the same
size (a residual tower of 2 blocks of 64 channels) with random parameters, this many simulations for
every decision, and noise at the root. OpenSpiel evaluates one position at a time and remembers what it
has evaluated; its actors are processes. Needs the packages open_spiel, jax, flax, optax, chex and
orbax-checkpoint.
"""
import multiprocessing
import sys
import tempfile
import time


class Quiet:
    def print(self, *_):
        pass

    opt_print = print


def play(seconds, simulations, results):
    import pyspiel
    from open_spiel.python.algorithms.alpha_zero import alpha_zero, evaluator

    game = pyspiel.load_game("einstein_wurfelt_nicht")
    config = alpha_zero.Config(
        game="einstein_wurfelt_nicht", path=tempfile.mkdtemp(), learning_rate=1e-3, weight_decay=1e-5,
        decouple_weight_decay=True, train_batch_size=512, replay_buffer_size=10_000,
        replay_buffer_reuse=1, max_steps=1, checkpoint_freq=1, actors=1, evaluators=0,
        evaluation_window=1, eval_levels=1, uct_c=2.0, max_simulations=simulations, policy_alpha=1.0,
        policy_epsilon=0.25, temperature=1.0, temperature_drop=12, nn_model="resnet", nn_width=64,
        nn_depth=2, observation_shape=(5, 5, 12),
        output_size=game.num_distinct_actions(), verbose=False, quiet=True,
    )
    known = evaluator.AlphaZeroEvaluator(game, alpha_zero._init_model_from_config(config))
    bots = [alpha_zero._init_bot(config, game, known, False) for _ in range(2)]
    # The first game compiles the network.
    alpha_zero._play_game(Quiet(), 0, game, bots, config.temperature, config.temperature_drop)
    games = positions = 0
    start = time.monotonic()
    while time.monotonic() - start < seconds:
        told = alpha_zero._play_game(Quiet(), games, game, bots, config.temperature, config.temperature_drop)
        games += 1
        positions += len(told.states)
    passed = time.monotonic() - start
    results.put((games / passed, positions / passed))


if __name__ == "__main__":
    seconds, processes, simulations = [int(x) for x in sys.argv[1:]] + [60, 2, 200][len(sys.argv) - 1 :]
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    players = [context.Process(target=play, args=(seconds, simulations, results)) for _ in range(processes)]
    for player in players:
        player.start()
    rates = [results.get() for _ in players]
    for player in players:
        player.join()
    games, positions = (sum(column) for column in zip(*rates))
    print(f"games {games:.3f}\ndecisions {positions:.2f}")
