"""What an agent written in Python looks like."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from wurfel._wurfel import Budget, Decision, Position


class Player(Protocol):
    """An agent: any object with this method.

    It may also have ``begin(self, seed: int)``, which begins a new game with a seed of the agent's own, and a text
    ``name`` for results.
    """

    def decide(self, turn: Position, budget: Budget, /) -> str | Decision:
        """Chooses one of ``turn.legal_moves()``.

        ``turn`` is a position with a roll. It holds no generator: what is rolled in a copy of it is drawn afresh.
        """
        ...


AgentLike: TypeAlias = "str | Callable[[], Player]"
"""A spec, or a class (or a function without arguments) that makes agents: one a thread, and one more for its name."""
