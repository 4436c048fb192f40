"""Measures how fast the vectorised environment is: ``python -m wurfel.speed``."""

from __future__ import annotations

import argparse
import time

import wurfel
from wurfel._console import run as run_program


def plies_per_second(game: str, size: int, seconds: float, encoding: str | None = None) -> float:
    """Random moves in a second of CPU time on one thread, each with its roll, observation, mask and reward."""
    env = wurfel.VectorEnv(game, size, seed=1, encoding=encoding)
    # Other work of the machine does not count.
    started = time.thread_time()
    steps = 0
    while time.thread_time() - started < seconds:
        env.step(env.sample())
        steps += 1
    return steps * size / (time.thread_time() - started)


def main() -> None:
    """Prints a line for each game and encoding."""
    parser = argparse.ArgumentParser(prog="python -m wurfel.speed", description=__doc__)
    parser.add_argument("--size", type=int, default=4096, help="games at once (default: 4096)")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds of CPU time for each line (default: 2)")
    given = parser.parse_args()
    for game in wurfel.games():
        for encoding in game.encodings:
            rate = plies_per_second(game.name, given.size, given.seconds, encoding.name)
            print(f"{game.name:<20} {encoding.name:<14} {rate:>12,.0f} plies/s", flush=True)


if __name__ == "__main__":
    run_program(main)
