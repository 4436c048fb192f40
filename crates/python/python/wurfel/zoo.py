"""PettingZoo: both sides of a game, one after the other.

``wurfel.zoo.env("einstein")`` makes the environment ``einstein-v1``. It needs the extra ``wurfel[pettingzoo]``.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from wurfel import _wurfel, actions
from wurfel._chance import Chance

AGENTS = ["side_0", "side_1"]


class GameEnv(AECEnv[str, dict[str, Any], Any]):  # type: ignore[misc]
    """A game between ``side_0`` and ``side_1``, who need not alternate where a roll has several moves.

    An observation is a dictionary: ``observation`` is what the side to move sees, ``float32`` of shape (planes, rows,
    columns), and ``action_mask`` has a 1 for each legal action; the side that is not to move sees the same and has no
    action. At the end the rewards are 1 for a win, 0 for a draw and -1 for a loss. An illegal action loses the game.
    """

    metadata: dict[str, Any]

    def __init__(
        self, game: str = "einstein", *, encoding: str | None = None, render_mode: str | None = None
    ) -> None:
        """``encoding`` is a name from ``Game.encodings``, by default the first."""
        super().__init__()
        self.game = _wurfel.game(game)
        self.encoding = actions.encoding_of(game, encoding)
        self.metadata = {"name": f"{game}-v1", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        planes = gymnasium.spaces.Box(-np.inf, np.inf, self.encoding.shape, np.float32)
        mask = gymnasium.spaces.Box(0, 1, (self.encoding.moves,), np.int8)
        seen = gymnasium.spaces.Dict({"observation": planes, "action_mask": mask})
        self.observation_spaces: dict[str, gymnasium.Space[Any]] = dict.fromkeys(AGENTS, seen)
        self.action_spaces: dict[str, gymnasium.Space[Any]] = {
            agent: gymnasium.spaces.Discrete(self.encoding.moves) for agent in AGENTS
        }
        self._chance = Chance()

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """What an agent may do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game with drawn set-ups."""
        if seed is not None:
            self._chance = Chance(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._position = self._chance.roll(self.game.setup(self._chance.seed()))
        self.agent_selection = AGENTS[self._position.side]

    @property
    def position(self) -> _wurfel.Position:
        """The position, with the roll of the side to move."""
        return self._position

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now."""
        mask = actions.mask(self._position, self.encoding.name)
        if agent != AGENTS[self._position.side]:
            mask = np.zeros_like(mask)
        return {"observation": actions.observe(self._position, self.encoding.name), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays a move of the agent that is selected."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("action None: expected the index of a move while the game goes on")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        move = actions.find(self._position, action, self.encoding.name)
        if move is None:
            self._end({of: -1.0 if of == agent else 1.0 for of in AGENTS})
        else:
            self._position = self._chance.roll(self._position.play(move))
            results = [self._position.result(side) for side in (0, 1)]
            if self._position.is_over:
                self._end({of: 2.0 * (result or 0.0) - 1.0 for of, result in zip(AGENTS, results, strict=True)})
                self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
            else:
                self.agent_selection = AGENTS[self._position.side]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text."""
        return self._position.diagram() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Does nothing: the environment holds no resources."""

    def _end(self, rewards: dict[str, float]) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(AGENTS, True)


def env(game: str = "einstein", *, encoding: str | None = None, render_mode: str | None = None) -> GameEnv:
    """The environment of a game. Its name is the game's with the version, such as ``einstein-v1``."""
    return GameEnv(game, encoding=encoding, render_mode=render_mode)
