"""An agent written in Python: random games after each move, and the move that won most of them.

    python examples/python/flat_monte_carlo.py --games 20 --pairs 50
"""

from __future__ import annotations

import argparse
import random

import wurfel
from wurfel import Budget, Decision, Position


class FlatMonteCarlo:
    """Plays some random games after each legal move."""

    def __init__(self, games: int) -> None:
        self.name = f"flat-{games}-in-python"
        self.games = games
        self.random = random.Random(0)

    def begin(self, seed: int) -> None:
        """Begins a new game: all random numbers come from this seed, so that a match can be repeated."""
        self.random.seed(seed)

    def decide(self, turn: Position, budget: Budget) -> Decision:
        """The move with the best mean result, which is also its value for the side to move."""
        moves = turn.legal_moves()
        values = [self.mean(turn.play(move), turn.side) for move in moves]
        best = max(range(len(moves)), key=values.__getitem__)
        return Decision(moves[best], values[best], nodes=self.games * len(moves))

    def mean(self, position: Position, side: int) -> float:
        """The mean result of random games for a side."""
        return sum(self.playout(position, side) for _ in range(self.games)) / self.games

    def playout(self, position: Position, side: int) -> float:
        """The result of one random game. Its dice are ours: the game's own cannot be seen."""
        while not position.is_over:
            if position.is_chance:
                position = position.step_chance(self.random.getrandbits(64))
            else:
                position = position.play(self.random.choice(position.legal_moves()))
        return position.result(side) or 0.0


def main() -> None:
    """Plays a match against an agent of a spec."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20, help="random games after each move (default: 20)")
    parser.add_argument("--pairs", type=int, default=20, help="pairs of games (default: 20)")
    parser.add_argument("--opponent", default="random", help="a spec (default: random)")
    given = parser.parse_args()
    games: int = given.games
    print(wurfel.match(lambda: FlatMonteCarlo(games), given.opponent, given.pairs))


if __name__ == "__main__":
    main()
