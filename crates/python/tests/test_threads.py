"""Several threads of Python at once, with the interpreter's lock and without."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import wurfel
from wurfel import Position

START = Position("ABC2/DE3/F3f/3ed/2cba r")


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python needs its lock")
def test_importing_the_package_does_not_bring_the_lock_back() -> None:
    code = "import sys, wurfel; assert not sys._is_gil_enabled()"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_threads_that_share_an_agent_get_its_decisions() -> None:
    agent = wurfel.agent("star2:depth=2")
    turns = [START.rolled(roll) for roll, _ in START.chance_outcomes()] * 10
    alone = [wurfel.agent("star2:depth=2").decide(turn).move for turn in turns]

    def decide(turn: Position) -> str:
        return agent.decide(turn).move

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(decide, turns)) == alone


def test_threads_that_share_a_network_get_its_answers() -> None:
    network = wurfel.Network.of_game("einstein")
    batches = [wurfel.encode([START.rolled(roll)], network.encoding) for roll, _ in START.chance_outcomes()] * 5
    alone = [network.infer(planes) for planes in batches]
    with ThreadPoolExecutor(8) as threads:
        for (logits, values), (other_logits, other_values) in zip(threads.map(network.infer, batches), alone, strict=True):
            assert np.array_equal(logits, other_logits) and np.array_equal(values, other_values)


def test_threads_with_an_environment_each_play_as_alone() -> None:
    def play(seed: int) -> list[float]:
        env = wurfel.VectorEnv(size=64, seed=seed)
        sums: list[float] = []
        for _ in range(60):
            env.step(env.sample())
            sums.append(float(env.observations.sum()))
        return sums

    alone = [play(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(play, range(4))) == alone


def test_an_environment_that_two_threads_step_stays_whole() -> None:
    env = wurfel.VectorEnv(size=256, seed=1)

    def play(_: int) -> int:
        refused = 0
        for _ in range(100):
            try:
                env.step(env.sample())
            except ValueError:
                # Another thread steps it now, or has done so since the actions were drawn.
                refused += 1
        return refused

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(play, range(4))) < 400
    positions = [env.position(lane) for lane in range(env.size)]
    assert np.array_equal(env.observations, wurfel.encode(positions, env.encoding.name))
    assert np.array_equal(env.action_mask, wurfel.legal_mask(positions, env.encoding.name))


def test_matches_in_threads_are_those_of_one_thread() -> None:
    class First:
        def decide(self, turn: Position, budget: wurfel.Budget) -> str:
            return turn.legal_moves()[0]

    def play(seed: int) -> list[int]:
        return wurfel.match(First, "random", 20, seed, 2).pair_points

    alone = [play(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(play, range(4))) == alone
