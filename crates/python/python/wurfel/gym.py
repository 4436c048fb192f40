"""Gymnasium: one side of a game against one of our agents.

Importing this module registers ``wurfel/NAME-v1`` for each game, such as ``wurfel/einstein-v1``. It needs the extra
``wurfel[gymnasium]``.
"""

from __future__ import annotations

from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from numpy.typing import NDArray

from wurfel import _wurfel, actions
from wurfel._chance import Chance

Observation = NDArray[np.float32]


class SideEnv(gymnasium.Env[Observation, np.int64]):
    """One side of a game. The other side is played by the agent of a spec.

    An observation is what the side to move sees: ``float32`` of shape (planes, rows, columns), including the
    roll. An action is the index of a move; ``info["action_mask"]`` says which are legal, ``info["position"]`` is the
    position. The reward at the end is 1 for a win, 0 for a draw and -1 for a loss, and 0 before. An illegal action
    loses the game.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str = "einstein",
        opponent: str = "greedy",
        *,
        side: int | None = None,
        encoding: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        """``side`` is 0 or 1, by default drawn for each game; ``encoding`` a name from ``Game.encodings``."""
        if side not in (None, 0, 1):
            raise ValueError(f"side={side}: expected 0, 1 or None")
        self.game = _wurfel.game(game)
        self.encoding = actions.encoding_of(game, encoding)
        self.opponent = _wurfel.agent(opponent, game)
        self.render_mode = render_mode
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, self.encoding.shape, np.float32)
        self.action_space = gymnasium.spaces.Discrete(self.encoding.moves)
        self._wanted_side = side
        self._side = 0
        self._chance = Chance()
        self._position = self.game.start()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a game with drawn set-ups; the other side plays first where it is its turn."""
        super().reset(seed=seed)
        if seed is not None:
            self._chance = Chance(seed)
        self.opponent.begin(self._chance.seed() >> 1)
        while True:
            self._side = self._chance.seed() % 2 if self._wanted_side is None else self._wanted_side
            self._position = self.game.setup(self._chance.seed())
            self._until_own_turn()
            if not self._position.is_over:
                return self._seen(), self._info()

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays a move, and lets the other side play until it is our turn again."""
        if self._position.is_over:
            raise ValueError("the game is over: expected a call of reset before the next step")
        move = actions.find(self._position, action, self.encoding.name)
        if move is None:
            return self._seen(), -1.0, True, False, self._info()
        self._position = self._position.play(move)
        self._until_own_turn()
        result = self._position.result(self._side)
        reward = 0.0 if result is None else 2.0 * result - 1.0
        return self._seen(), reward, result is not None, False, self._info()

    def render(self) -> str | None:
        """The board as text."""
        return self._position.diagram() if self.render_mode == "ansi" else None

    def _until_own_turn(self) -> None:
        while not self._position.is_over:
            self._position = self._chance.roll(self._position)
            if self._position.side == self._side:
                return
            self._position = self._position.play(self.opponent.decide(self._position).move)

    def _seen(self) -> Observation:
        return actions.observe(self._position, self.encoding.name)

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": actions.mask(self._position, self.encoding.name),
            "position": self._position,
            "side": self._side,
        }


def register() -> None:
    """Registers an environment for each game that has an encoding."""
    for game in _wurfel.games():
        name = f"wurfel/{game.name}-v1"
        if game.encodings and name not in gymnasium.registry:
            gymnasium.register(name, entry_point="wurfel.gym:SideEnv", kwargs={"game": game.name})


register()
