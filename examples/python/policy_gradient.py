"""Learning with NumPy alone: a linear policy, trained on the vectorised environment and entered in a match.

    python examples/python/policy_gradient.py --updates 20 --pairs 200

Both sides play the policy; each game that ends makes the moves of its winner more likely and those of its loser less
(REINFORCE). A linear policy sees only the squares of single pieces, so it stays weak; it shows how the arrays are used.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

import wurfel
from wurfel import Budget, Position, VectorEnv

Floats = NDArray[np.float32]
GAME, ENCODING = "einstein", "ewn-v3"


def probabilities(weights: Floats, planes: Floats, mask: NDArray[np.bool_]) -> Floats:
    """The policy: a row for each position, 0 where an action is illegal."""
    logits = planes.reshape(len(planes), -1) @ weights
    logits = np.where(mask, logits, -np.inf)
    shares: Floats = np.exp(logits - logits.max(axis=1, keepdims=True))
    policy: Floats = shares / shares.sum(axis=1, keepdims=True)
    return policy


def results(sides: NDArray[np.uint8], rewards: Floats, dones: NDArray[np.bool_]) -> Floats:
    """For each move 1 when its side has won the game, -1 when it has lost, 0 when the game has not ended yet."""
    result = np.zeros(rewards.shape, dtype=np.float32)
    winner = -np.ones(rewards.shape[1], dtype=np.int64)
    for step in reversed(range(len(rewards))):
        mover = sides[step].astype(np.int64)
        ended = dones[step]
        winner[ended] = np.where(rewards[step] > 0, mover, 1 - mover)[ended]
        result[step] = np.where(winner == mover, 1.0, -1.0) * (winner >= 0)
    return result


def train(updates: int, games: int = 64, moves: int = 64, rate: float = 2.0, seed: int = 1) -> Floats:
    """Weights of shape (numbers of a position, actions), after this many updates from ``games`` games at once."""
    env, random = VectorEnv(GAME, games, seed=seed, encoding=ENCODING), np.random.default_rng(seed)
    weights = np.zeros((int(np.prod(env.encoding.shape)), env.encoding.moves), dtype=np.float32)
    planes = np.zeros((moves, games, len(weights)), dtype=np.float32)
    gradients = np.zeros((moves, games, env.encoding.moves), dtype=np.float32)
    sides = np.zeros((moves, games), dtype=np.uint8)
    rewards = np.zeros((moves, games), dtype=np.float32)
    dones = np.zeros((moves, games), dtype=np.bool_)
    for _ in range(updates):
        for step in range(moves):
            planes[step], sides[step] = env.observations.reshape(games, -1), env.sides
            policy = probabilities(weights, env.observations, env.action_mask)
            # Gumbel's trick draws one action of each row by its probability.
            noise = random.gumbel(size=policy.shape)
            chosen = np.where(env.action_mask, np.log(policy + 1e-9) + noise, -np.inf).argmax(axis=1)
            gradients[step] = -policy
            gradients[step, np.arange(games), chosen] += 1.0
            env.step(chosen)
            rewards[step], dones[step] = env.rewards, env.dones
        advantage = results(sides, rewards, dones)[..., None]
        change = planes.reshape(-1, len(weights)).T @ (advantage * gradients).reshape(moves * games, -1)
        weights += rate / (moves * games) * change
    return weights


class LinearPolicy:
    """Plays the most likely move."""

    name = "linear-policy"

    def __init__(self, weights: Floats) -> None:
        self.weights = weights

    def decide(self, turn: Position, budget: Budget) -> str:
        """The legal move with the largest probability."""
        policy = probabilities(self.weights, wurfel.encode([turn], ENCODING), wurfel.legal_mask([turn], ENCODING))
        indices = wurfel.move_indices(turn, ENCODING)
        return turn.legal_moves()[int(np.argmax(policy[0, indices]))]


def main() -> None:
    """Trains, and plays a match against random moves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=20, help="changes of the weights (default: 20)")
    parser.add_argument("--pairs", type=int, default=200, help="pairs of games (default: 200)")
    given = parser.parse_args()
    weights = train(given.updates)
    print(wurfel.match(lambda: LinearPolicy(weights), "random", given.pairs))


if __name__ == "__main__":
    main()
