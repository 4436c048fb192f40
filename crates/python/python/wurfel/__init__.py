"""Board games with dice: positions, agents, exact values and matches.

``wurfel.game(name)`` finds a game, ``Position`` is a position before or after the roll, ``wurfel.agent(spec)`` makes
an agent, ``analyse`` and ``solve`` tell what moves are worth, and ``match``, ``tournament`` and ``regret`` measure
agents, among them agents written in Python; ``review`` goes through games that were played. ``python -m wurfel`` lists what there is.

Values are win probabilities from 0 to 1, a draw counts half; each function says whose they are.
"""

from wurfel._wurfel import (
    VERSION as __version__,
    Agent,
    Analysis,
    Budget,
    Decision,
    Encoding,
    Game,
    GameReview,
    MatchResult,
    MoveValue,
    Position,
    RegretResult,
    RollValue,
    Solution,
    Standing,
    TournamentResult,
    VectorEnv,
    agent,
    agents,
    analyse,
    encode,
    game,
    games,
    legal_mask,
    match,
    move_indices,
    regret,
    review,
    solve,
    tournament,
)
from wurfel.players import AgentLike, Player

__all__ = [
    "Agent",
    "AgentLike",
    "Analysis",
    "Budget",
    "Decision",
    "Encoding",
    "Game",
    "GameReview",
    "MatchResult",
    "MoveValue",
    "Player",
    "Position",
    "RegretResult",
    "RollValue",
    "Solution",
    "Standing",
    "TournamentResult",
    "VectorEnv",
    "__version__",
    "agent",
    "agents",
    "analyse",
    "encode",
    "game",
    "games",
    "legal_mask",
    "match",
    "move_indices",
    "regret",
    "review",
    "solve",
    "tournament",
]
