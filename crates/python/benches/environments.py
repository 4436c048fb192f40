"""Our vectorised environment beside OpenSpiel and pgx, in one run on one core.

    python crates/python/benches/environments.py

Each of those that are installed plays random games for some seconds, in turn and several times over; the line says how
many plies it played in a second of CPU time: the median, and the range. A ply is a random legal move with its roll. What
else they compute differs and is given in the line. pgx does not have EinStein würfelt nicht!; its games with chance are Backgammon,
where each checker that is moved counts as a ply, and 2048. It steps many games at once in one compiled loop that begins a new
game where one has ended; the time that compiling took is given separately, by the clock.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.metadata
import importlib.util
import os
import platform
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import wurfel

Work = Callable[[], int]
"""Plays for a while and returns the number of plies."""


def ours(encoding: str, size: int) -> Work:
    """Our environment: with observation, mask and reward."""
    env = wurfel.VectorEnv("einstein", size, seed=1, encoding=encoding)

    def work() -> int:
        for _ in range(16):
            env.step(env.sample())
        return 16 * size

    return work


def openspiel_from_python(observed: bool) -> Work:
    """OpenSpiel, its states stepped from Python."""
    pyspiel: Any = importlib.import_module("pyspiel")
    game = pyspiel.load_game("einstein_wurfelt_nicht")
    random = np.random.default_rng(1)

    def work() -> int:
        plies = 0
        for _ in range(20):
            state = game.new_initial_state()
            # Two of 720 set-ups.
            for _ in range(2):
                state.apply_action(int(random.integers(720)))
            while not state.is_terminal():
                state.apply_action(int(random.integers(6)))
                if observed:
                    state.observation_tensor()
                    state.legal_actions_mask()
                actions = state.legal_actions()
                state.apply_action(actions[int(random.integers(len(actions)))])
                plies += 1
        return plies

    return work


def pgx(game: str, size: int) -> Work:
    """A game of pgx: with observation, mask and reward."""
    jax: Any = importlib.import_module("jax")
    module: Any = importlib.import_module("pgx")
    wrapper: Any = importlib.import_module("pgx.experimental").auto_reset
    env = module.make(game)
    steps = 16
    step = jax.vmap(wrapper(env.step, env.init))

    def turn(carry: Any, _: Any) -> tuple[Any, None]:
        state, key = carry
        key, chosen, rolled = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        actions = jax.random.categorical(chosen, logits, axis=-1)
        return (step(state, actions, jax.random.split(rolled, size)), key), None

    def turns(carry: Any) -> Any:
        return jax.lax.scan(turn, carry, None, length=steps)[0]

    scan = jax.jit(turns)
    key = jax.random.PRNGKey(1)
    carry = [(jax.jit(jax.vmap(env.init))(jax.random.split(key, size)), key)]

    def work() -> int:
        carry[0] = jax.block_until_ready(scan(carry[0]))
        return steps * size

    return work


def rate(work: Work, seconds: float) -> float:
    """Plies in a second of CPU time."""
    started, plies = time.process_time(), 0
    while time.process_time() - started < seconds:
        plies += work()
    return plies / (time.process_time() - started)


def contenders(sizes: list[int]) -> dict[str, Work]:
    """All that are installed, with what they do."""
    found: dict[str, Work] = {}
    for size in sizes:
        for encoding in ("ewn-v2", "ewn-v3"):
            found[f"wurfel, EWN, {size} games, {encoding}, mask, reward"] = ours(encoding, size)
    if importlib.util.find_spec("pyspiel"):
        found["OpenSpiel from Python, EWN, observation, mask"] = openspiel_from_python(True)
        found["OpenSpiel from Python, EWN"] = openspiel_from_python(False)
    if importlib.util.find_spec("pgx"):
        for size in sizes:
            for name, game in (("Backgammon", "backgammon"), ("2048", "2048")):
                found[f"pgx, {name}, {size} games, observation, mask, reward"] = pgx(game, size)
    return found


def versions() -> str:
    """The environments that are installed."""
    known: list[str] = []
    for package in ("wurfel", "numpy", "open_spiel", "pgx", "jax"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            known.append(f"{package} {importlib.metadata.version(package)}")
    return ", ".join([f"Python {platform.python_version()}", *known])


def main() -> None:
    """Prints a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sizes = [256, 1024, 4096, 16384]
    parser.add_argument("--sizes", type=int, nargs="+", default=sizes, help="games at once (default: 256 to 16384)")
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds of each turn (default: 2)")
    parser.add_argument("--turns", type=int, default=5, help="turns of each (default: 5)")
    given = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    print(versions())
    found = contenders(given.sizes)
    for name, work in found.items():
        started = time.perf_counter()
        work()
        if name.startswith("pgx"):
            print(f"compiled in {time.perf_counter() - started:.1f} s: {name}", flush=True)
    rates: dict[str, list[float]] = {name: [] for name in found}
    for _ in range(given.turns):
        for name, work in found.items():
            rates[name].append(rate(work, given.seconds))
    print(f"{platform.machine()}, one core, load {os.getloadavg()[0]:.1f}; millions of plies a second of CPU time")
    for name, of in rates.items():
        low, middle, high = (number / 1e6 for number in (min(of), statistics.median(of), max(of)))
        print(f"{name:<58} {middle:8.3f}  ({low:.3f} to {high:.3f})")


if __name__ == "__main__":
    main()
