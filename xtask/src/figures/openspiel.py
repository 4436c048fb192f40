#!/usr/bin/env python3
"""How fast OpenSpiel's C++ plays EinStein würfelt nicht!, by CPU time: a line for each kind of work.

Both run within C++; Python only starts them. `uct` is a search of 10,000 playouts from a start with a roll, `random-games`
a search of ten with 1,000 random games at each leaf, none of them more than a few turns from the start. Needs open_spiel.
"""
import time

import pyspiel


def rate(simulations, games):
    """Random games a second, the best of five searches."""
    game = pyspiel.load_game("einstein_wurfelt_nicht")
    state = game.new_initial_state()
    # A set-up of each side, then a roll.
    for outcome in (0, 0, 3):
        state.apply_action(outcome)
    best = 0.0
    for seed in range(5):
        evaluator = pyspiel.RandomRolloutEvaluator(games, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, simulations, 1000, False, seed, False)
        started = time.process_time()
        bot.mcts_search(state)
        best = max(best, simulations * games / (time.process_time() - started))
    return best


if __name__ == "__main__":
    print(f"random-games {rate(10, 1000):.0f}")
    print(f"uct {rate(10_000, 1):.0f}")
