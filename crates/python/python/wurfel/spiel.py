"""Games and states with the interface of OpenSpiel, with explicit chance nodes. OpenSpiel itself is not needed.

A state is at a chance node before each roll. Its chance outcomes are the rolls that differ there, numbered from 0; the
actions of a player are the move indices of an encoding. A state holds no generator: whoever steps one chooses the roll.
"""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from wurfel import _wurfel, actions

CHANCE = -1
TERMINAL = -4


class State:
    """A state of a game; ``apply_action`` changes it, ``clone`` copies it."""

    def __init__(self, position: _wurfel.Position, encoding: str | None = None) -> None:
        """``encoding`` is a name from ``Game.encodings``, by default the first."""
        self.position = position
        self.encoding = actions.encoding_of(position.game.name, encoding)

    def clone(self) -> State:
        """An independent copy."""
        return State(self.position, self.encoding.name)

    def current_player(self) -> int:
        """0 or 1, ``CHANCE`` before a roll, ``TERMINAL`` after the end."""
        if self.position.is_over:
            return TERMINAL
        return CHANCE if self.position.is_chance else self.position.side

    def is_chance_node(self) -> bool:
        """Whether a roll is due."""
        return self.position.is_chance

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each roll that differs here, with its probability."""
        outcomes = self.position.chance_outcomes()
        return [(number, probability) for number, (_, probability) in enumerate(outcomes)]

    def legal_actions(self) -> list[int]:
        """The legal actions in ascending order: rolls at a chance node, else moves."""
        if self.position.is_chance:
            return list(range(len(self.position.chance_outcomes())))
        return sorted(_wurfel.move_indices(self.position, self.encoding.name))

    def action_to_string(self, action: SupportsIndex) -> str:
        """A roll such as ``@4``, or a move."""
        action = actions.whole(action)
        if self.position.is_chance:
            outcomes = self.position.chance_outcomes()
            if not 0 <= action < len(outcomes):
                raise ValueError(f"action {action}: expected one from 0 to {len(outcomes) - 1}")
            return f"@{outcomes[action][0]}"
        move = actions.find(self.position, action, self.encoding.name)
        if move is None:
            raise ValueError(f"action {action}: expected one of {self.legal_actions()}")
        return move

    def apply_action(self, action: SupportsIndex) -> None:
        """Rolls at a chance node, else moves."""
        text = self.action_to_string(action)
        chance = self.position.is_chance
        self.position = self.position.rolled(text[1:]) if chance else self.position.play(text)

    def step_chance(self, seed: int | None = None) -> None:
        """Rolls the dice: from a seed, or afresh."""
        self.position = self.position.step_chance(seed)

    def returns(self) -> list[float]:
        """For each player 1 for a win, -1 for a loss, and 0 after a draw and before the end."""
        results = [self.position.result(side) for side in (0, 1)]
        return [0.0 if result is None else 2.0 * result - 1.0 for result in results]

    def observation_tensor(self) -> NDArray[np.float32]:
        """What the side to move sees, the roll and the side among it: shape (planes, rows, columns)."""
        return actions.observe(self.position, self.encoding.name)

    def __str__(self) -> str:
        return self.position.text


class Game:
    """A zero-sum game of two players; ``new_initial_state`` begins one."""

    def __init__(self, name: str = "einstein", encoding: str | None = None) -> None:
        """``encoding`` is a name from ``wurfel.Game.encodings``, by default the first."""
        self.game = _wurfel.game(name)
        self.encoding = actions.encoding_of(name, encoding)

    def new_initial_state(self, seed: int | None = None) -> State:
        """The initial position before its first roll; with a ``seed``, set-ups that are drawn from it."""
        position = self.game.start() if seed is None else self.game.setup(seed)
        return State(position, self.encoding.name)

    def num_players(self) -> int:
        """Two."""
        return 2

    def num_distinct_actions(self) -> int:
        """How many move indices the encoding has."""
        return self.encoding.moves

    def observation_tensor_shape(self) -> list[int]:
        """Planes, rows and columns."""
        return list(self.encoding.shape)

    def min_utility(self) -> float:
        """The return of a loss."""
        return -1.0

    def max_utility(self) -> float:
        """The return of a win."""
        return 1.0

    def utility_sum(self) -> float:
        """The sum of both returns."""
        return 0.0

    def __str__(self) -> str:
        return self.game.name


def load_game(name: str = "einstein", encoding: str | None = None) -> Game:
    """The game with this name."""
    return Game(name, encoding)
