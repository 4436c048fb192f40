"""One question asked here and of the program: the answers have the same names and the same values."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from repository import ROOT

import wurfel

PROGRAM = Path(os.environ.get("WURFEL", ROOT / "target" / "debug" / "wurfel"))

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")


def program(*words: str) -> dict[str, Any]:
    """What the program answers."""
    run = subprocess.run([PROGRAM, *words, "--json"], capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(run.stdout.splitlines()[0])
    return answer


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    return json.loads(json.dumps(value))


def same(answer: Any, of: dict[str, Any], names: str) -> None:
    """Asserts that these names have the same values in both answers."""
    for name in names.split():
        value = plain(getattr(answer, name))
        # Searches compute with 32 bits, which JSON writes as short as they can be read back.
        expected = pytest.approx(of[name], abs=1e-7) if isinstance(of[name], float) else of[name]
        assert value == expected, name


MATCH = (
    "game seed games wins draws losses pair_points win_rate interval elo elo_interval los first_side_wins mean_plies"
)


def test_a_match() -> None:
    here = wurfel.match("expecti:depth=1", "random", pairs=20, seed=3)
    there = program("match", "expecti:depth=1", "random", "--pairs", "20", "--seed", "3")
    same(here, there, MATCH)
    for name in ("crashes", "illegal_moves", "time_losses", "reasons"):
        assert plain(getattr(here, name)) == [agent[name] for agent in there["agents"]], name
    adjusted = there["luck_adjusted"]
    assert plain(here.luck_adjusted) == [adjusted["win_rate"], adjusted["interval"]]


def test_regret() -> None:
    here = wurfel.regret("expecti:depth=1", 200, seed=5, pieces=3)
    there = program("regret", "expecti:depth=1", "--pieces", "3", "--positions", "200", "--seed", "5")
    same(here, there, "agent game pieces seed decisions regret interval optimal")
    worst = [[lost[name] for name in ("position", "move", "best", "lost")] for lost in there["worst"]]
    assert plain(here.worst) == worst


def test_an_analysis_and_a_solution() -> None:
    text = "5/5/2C2/5/2cba r 1 1"
    position = wurfel.Position(text)
    here = wurfel.analyse(position, "expecti:depth=2")
    there = program("analyse", text, "--agent", "expecti:depth=2")
    same(here, there, "position agent value depth")
    for one, other in zip(here.moves, there["moves"], strict=True):
        same(one, other, "move value exact")
    same(wurfel.solve(position), program("solve", text), "position value low high")


def test_a_review() -> None:
    text = "5/2B2/5/1c1A1/5 r - 1 @1 d2e1"
    [here] = wurfel.review(text)
    there = program("review", text)
    same(here, there, "initial residual")
    assert here.last == there["final"]
    for name in ("luck", "lost"):
        assert plain(getattr(here, name)) == [player["totals"][name] for player in there["players"]]
    for name in ("ply", "position", "roll", "move", "luck", "lost"):
        assert here.columns()[name] == [move[name] for move in there["moves"]], name


def test_a_tournament() -> None:
    agents = ["expecti:depth=1", "greedy", "random"]
    here = wurfel.tournament(agents, pairs=20, seed=3)
    there = program("tournament", *agents, "--pairs", "20", "--seed", "3")
    for one, other in zip(here.standings, there["standings"], strict=True):
        same(one, other, "agent win_rate interval won rank")
        adjusted = other["luck_adjusted"]
        assert plain(one.luck_adjusted) == [adjusted["win_rate"], adjusted["interval"]]
    for match, played in zip(here.matches, there["matches"], strict=True):
        same(match, played, MATCH)
