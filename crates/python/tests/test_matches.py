"""Matches, and agents that are written in Python."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

import wurfel
from wurfel import Budget, Decision, Position


class First:
    """Plays the first legal move."""

    def decide(self, turn: Position, budget: Budget) -> str:
        return turn.legal_moves()[0]


class Cautious:
    """Asks another agent, and says what it knows."""

    name = "cautious"

    def __init__(self) -> None:
        self.greedy = wurfel.agent("greedy")

    def begin(self, seed: int) -> None:
        self.greedy.begin(seed)

    def decide(self, turn: Position, budget: Budget) -> Decision:
        return Decision(self.greedy.decide(turn).move, 0.5, depth=1)


def faults(result: wurfel.MatchResult) -> list[tuple[int, int]]:
    """The games that both agents lost by each kind of fault."""
    return [result.crashes, result.illegal_moves, result.time_losses]


def key(result: wurfel.MatchResult) -> tuple[object, ...]:
    return result.wins, result.draws, result.losses, result.pair_points, result.mean_plies, faults(result)


def test_a_match_does_not_depend_on_the_number_of_threads() -> None:
    one, two = (wurfel.match("expecti:depth=1", "greedy", 20, 3, threads) for threads in (1, 2))
    assert key(one) == key(two) and one.games == 40
    assert one.interval[0] < one.win_rate < one.interval[1]
    assert one.agents == ("expecti:depth=1", "greedy")


def test_a_match_has_the_result_that_the_program_prints() -> None:
    # wurfel match expecti:depth=3 greedy --pairs 500, as the README has it.
    result = wurfel.match("expecti:depth=3", "greedy", pairs=500, seed=1)
    assert (result.wins, result.draws, result.losses) == (647, 0, 353)
    assert result.pair_points == [58, 0, 237, 0, 205]
    assert tuple(round(100 * end, 2) for end in result.interval) == (61.73, 67.56)
    assert result.luck_adjusted is not None and round(100 * result.luck_adjusted[0], 2) == 64.53


def test_an_agent_in_python_plays_and_every_thread_has_its_own() -> None:
    one, two = (wurfel.match(First, "random", 30, 1, threads) for threads in (1, 2))
    assert key(one) == key(two) and one.agents == ("First", "random")
    assert faults(one) == [(0, 0)] * 3


def test_an_agent_in_python_that_asks_one_of_ours_plays_like_it() -> None:
    ours = wurfel.match("greedy", "random", 20, 7, 2)
    theirs = wurfel.match(Cautious, "random", 20, 7, 2)
    assert theirs.agents[0] == "cautious" and faults(theirs) == [(0, 0)] * 3
    # Greedy draws among equal moves, from a stream that is not the same.
    assert abs(ours.win_rate - theirs.win_rate) < 0.35


class Raises:
    def decide(self, turn: Position, budget: Budget) -> str:
        raise LookupError("no idea\nat all")


class Cheats:
    def decide(self, turn: Position, budget: Budget) -> str:
        return "a1a1"


class Mumbles:
    def decide(self, turn: Position, budget: Budget) -> str:
        return 7  # type: ignore[return-value]


class CannotBegin(First):
    def begin(self, seed: int) -> None:
        raise OSError("no file")


@pytest.mark.parametrize(
    ("agent", "fault", "reason"),
    [
        (Raises, 0, r"it raised LookupError: no idea\nat all at test_matches.py:"),
        (Cheats, 1, "move 'a1a1': expected one of"),
        (Mumbles, 0, "it decided on int: expected the text of a move or a Decision"),
        (CannotBegin, 0, "it raised OSError: no file at test_matches.py:"),
    ],
)
def test_an_agent_that_fails_loses_its_games_and_the_reason_is_told(
    agent: type[First], fault: int, reason: str
) -> None:
    result = wurfel.match(agent, "random", 3, 1, 2)
    assert (result.wins, result.losses) == (0, 6)
    assert faults(result) == [(6, 0) if kind == fault else (0, 0) for kind in range(3)]
    assert all(reason in told and "\n" not in told for told in result.reasons[0])
    assert (result.played, result.played_rate) == (0, None)
    assert result.warning is not None and result.warning.startswith("6 of 6 games (100.0 %) were lost by faults")


def test_what_makes_no_agents_is_refused() -> None:
    for wrong, message in [
        (First(), "agent: expected a spec, or a class or function that makes agents, found an object of First"),
        (dict, "agent: expected objects with a method decide(turn, budget), which dict has not"),
    ]:
        with pytest.raises(ValueError) as error:
            wurfel.match(wrong, "random", 1)  # type: ignore[arg-type]
        assert str(error.value) == message
    with pytest.raises(ValueError, match="pairs=0: expected at least 1"):
        wurfel.match("random", "random", 0)


class Foresees:
    """Copies what it is given and rolls ahead, as a planner that hopes to see the real dice."""

    foreseen: list[tuple[str | None, str | None]] = []

    def decide(self, turn: Position, budget: Budget) -> str:
        assert not any("seed" in name or "random" in name or "dice" in name for name in dir(turn))
        after = turn.play(turn.legal_moves()[0])
        if after.is_chance:
            Foresees.foreseen.append((after.step_chance().roll, after.step_chance().roll))
        return turn.legal_moves()[0]


def test_what_an_agent_is_given_does_not_hold_the_dice() -> None:
    Foresees.foreseen = []
    wurfel.match(Foresees, "random", 10, 1, 1)
    agreed = sum(one == other for one, other in Foresees.foreseen)
    assert len(Foresees.foreseen) > 100
    # Two fresh dice agree in one of six cases; a hidden generator that is copied would always agree.
    assert agreed < len(Foresees.foreseen) / 2


def test_progress_is_told_and_may_stop_the_match() -> None:
    told: list[tuple[int, int]] = []
    wurfel.match("random", "random", 50, 1, 1, progress=lambda done, pairs: told.append((done, pairs)))
    assert told[-1] == (50, 50)

    def stop(done: int, pairs: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        wurfel.match("random", "random", 20_000, 1, 1, progress=stop)


def test_ctrl_c_ends_a_match() -> None:
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        wurfel.match("expecti:depth=3", "random", 1_000_000, 1, 1)
    timer.join()


class Pauses(First):
    """Pauses once, early in its first match, for longer than there is between two calls of `progress`."""

    decisions = 0

    def decide(self, turn: Position, budget: Budget) -> str:
        Pauses.decisions += 1
        if Pauses.decisions == 500:
            time.sleep(0.5)
        return super().decide(turn, budget)


def test_a_match_that_was_stopped_is_resumed_from_its_file(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"

    def stop(done: int, pairs: int) -> None:
        assert done < pairs, "the match was over before it could be stopped"
        raise TimeoutError

    with pytest.raises(TimeoutError):
        wurfel.match(Pauses, "random", 3000, 1, 1, out=out, progress=stop)
    resumed = wurfel.match(Pauses, "random", 3000, 1, 1, out=out)
    assert key(resumed) == key(wurfel.match(Pauses, "random", 3000, 1, 1))
    # A line for the match and one for each game.
    assert out.read_text().count("\n") == 6001


def test_regret_of_perfect_play_is_nothing_and_of_python_something() -> None:
    perfect, first = (wurfel.regret(agent, 60, 1, 2, pieces=3) for agent in ("star2:depth=64", First))
    assert perfect.regret < 1e-6 and perfect.optimal == 1.0 and perfect.worst == []
    assert first.agent == "First" and first.regret > 0.01 and first.interval[0] <= first.regret <= first.interval[1]
    position, made, best, lost = first.worst[0]
    values = {move.move: move.value for move in wurfel.solve(Position(position)).moves}
    assert (values[best] or 0.0) - (values[made] or 0.0) == pytest.approx(lost, abs=1e-4)


def test_an_agent_that_fails_has_no_regret() -> None:
    with pytest.raises(RuntimeError, match="Raises failed: it raised LookupError"):
        wurfel.regret(Raises, 5, pieces=3)
    with pytest.raises(ValueError, match="dicechess: expected a game that can be searched to its end"):
        wurfel.regret("random", 5, game="dicechess")


def test_a_tournament_has_the_matches_that_match_plays() -> None:
    result = wurfel.tournament(["random", "greedy", First], 10, 5, 2)
    assert [match.agents for match in result.matches] == [
        ("random", "greedy"),
        ("random", "First"),
        ("greedy", "First"),
    ]
    # Each pairing has dice of its own, and the first one those of the match.
    assert key(result.matches[0]) == key(wurfel.match("random", "greedy", 10, 5, 1))
    alone = wurfel.tournament(["greedy", First], 10, 5, 2)
    assert key(alone.matches[0]) == key(wurfel.match("greedy", First, 10, 5, 1))
    assert key(result.matches[2]) != key(alone.matches[0])
    rates = {standing.agent: standing.win_rate for standing in result.standings}
    assert result.standings[0].agent == "greedy" and sum(rates.values()) == pytest.approx(1.5)
    with pytest.raises(ValueError, match="agent 'random': expected each name once"):
        wurfel.tournament(["random", "random"], 1)
