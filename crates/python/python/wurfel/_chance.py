"""The dice of an environment."""

from __future__ import annotations

import os

import numpy as np

from wurfel._wurfel import Position


class Chance:
    """Rolls dice from a seed. A copy draws fresh numbers, so that no planner sees the dice that are to come.

    Without a seed, so does a forked process: otherwise parent and child would play the same games.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._random = np.random.default_rng(seed)
        self._process = os.getpid() if seed is None else None

    def seed(self) -> int:
        """The seed of something else that is drawn."""
        if self._process not in (None, os.getpid()):
            self._random, self._process = np.random.default_rng(), os.getpid()
        return int(self._random.integers(2**63))

    def roll(self, position: Position) -> Position:
        """The position after its roll, if one is due."""
        return position.step_chance(self.seed()) if position.is_chance else position

    def __copy__(self) -> Chance:
        return Chance()

    def __deepcopy__(self, _memo: dict[int, object]) -> Chance:
        return Chance()

    def __reduce__(self) -> tuple[type[Chance], tuple[()]]:
        return Chance, ()
