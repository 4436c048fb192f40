"""The examples of the repository run and do what they say."""

from __future__ import annotations

import pytest
from repository import EXAMPLES, example

import wurfel

pytestmark = pytest.mark.skipif(not EXAMPLES.exists(), reason="the package is tested outside the repository")


def test_random_games_in_python_are_better_than_random_moves() -> None:
    made = example("flat_monte_carlo").FlatMonteCarlo
    one, two = (wurfel.match(lambda: made(4), "random", 20, 1, threads) for threads in (1, 2))
    assert one.win_rate > 0.6 and one.agents[0] == "flat-4-in-python"
    assert (one.wins, one.pair_points, one.mean_plies) == (two.wins, two.pair_points, two.mean_plies)


def test_a_policy_learns_to_beat_random_moves() -> None:
    policy_gradient = example("policy_gradient")
    weights = policy_gradient.train(10)
    result = wurfel.match(lambda: policy_gradient.LinearPolicy(weights), "random", 50, 1, 1)
    assert result.interval[0] > 0.6
