"""Agents by spec, analyses and exact values."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable

import pytest

import wurfel
from wurfel import Position


@pytest.fixture(autouse=True, scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Small tables are built in a folder of the tests."""
    os.environ["WURFEL_TABLES"] = str(tmp_path_factory.mktemp("tables"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A4/1F3/5/3f1/4a r", 0.364613295),
        ("A4/1F3/5/3f1/4a b", 0.635386705),
        ("2E2/1B3/5/3c1/2d2 r", 0.737611454),
        ("2E2/1B3/5/3c1/2d2 b", 0.551183128),
        ("5/5/2C2/5/2cba r", 95 / 108),
        ("5/5/2C2/5/2cba b", 68 / 81),
    ],
)
def test_exact_values_are_those_of_an_independent_program(text: str, value: float) -> None:
    position = Position(text)
    solution = wurfel.solve(position, threads=1)
    assert solution.value is not None
    # The numbers are red's; tables hold values in steps of 1/65,535.
    red = solution.value if position.side == 0 else 1.0 - solution.value
    assert red == pytest.approx(value, abs=1e-4)
    mean = sum(roll.probability * (roll.value or 0.0) for roll in solution.rolls)
    assert mean == pytest.approx(solution.value, abs=1e-6)


def test_a_rolled_position_is_solved_move_by_move() -> None:
    solution = wurfel.solve(Position("5/1A3/2B2/2c1a/5 b").rolled("4"), threads=1)
    values = {move.move: move.value for move in solution.moves}
    assert all(move.exact for move in solution.moves)
    assert round(100 * (values["c2b2"] or 0.0), 2) == 15.14
    assert solution.best is not None and solution.best.value == solution.value == solution.high


def test_an_agent_decides_with_and_without_a_roll_in_the_position() -> None:
    start = Position("ABC2/DE3/F3f/3ed/2cba r")
    champion = wurfel.agent("champion:depth=3", seed=1)
    decision = champion.decide(start, "4")
    assert decision.move == champion.decide(start.rolled("4")).move == "a4b4"
    assert decision.depth == 3 and decision.nodes > 0 and 0.0 < (decision.value or 0.0) < 1.0
    assert (champion.spec, champion.game) == ("champion:depth=3", "einstein")


@pytest.mark.parametrize("game", wurfel.games(), ids=lambda game: game.name)
def test_an_agent_of_every_game_decides_on_a_legal_move(game: wurfel.Game) -> None:
    turn = game.setup(seed=2).step_chance(seed=2)
    assert wurfel.agent("greedy", game.name, seed=1).decide(turn).move in turn.legal_moves()


def test_an_analysis_tells_of_every_move_or_of_every_roll() -> None:
    rest = Position("ABC2/DE3/F3f/3ed/2cba r")
    rolled = wurfel.analyse(rest.rolled("4"), "expecti:depth=2")
    assert [move.move for move in rolled.moves][0] == "a4b4" and len(rolled.moves) == 3
    assert rolled.value == rolled.moves[0].value and rolled.line[0] == "@4 a4b4" and rolled.rolls == []
    whole = wurfel.analyse(rest, "expecti:depth=2")
    assert len(whole.rolls) == 6 and whole.moves == []
    assert whole.value == pytest.approx(sum(of.probability * (of.value or 0.0) for of in whole.rolls))
    four = next(of for of in whole.rolls if of.roll == "4")
    assert four.value == rolled.value


def test_whole_turns_are_analysed_with_three_dice() -> None:
    start = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1 PNQ"
    report = wurfel.analyse(Position(start, "dicechess3"), "selective:depth=1")
    assert len({frozenset(turn.moves) for turn in report.turns}) == len(report.turns) == 20
    best = report.turns[0]
    assert (len(best.moves), best.depth, best.exact) == (3, 1, False)
    assert best.value == report.value == report.moves[0].value
    assert repr(best).startswith(f"TurnValue('{' '.join(best.moves)}', 0.")
    assert wurfel.analyse(Position("ABC2/DE3/F3f/3ed/2cba r 4"), "expecti:depth=1").turns == []


def test_few_pieces_are_exact_where_no_agent_is_named() -> None:
    report = wurfel.analyse(Position("5/1A3/2B2/2c1a/5 b 4"), depth=2)
    values = {move.move: (move.value, move.exact) for move in report.moves}
    assert values["c2b2"][1] and round(100 * (values["c2b2"][0] or 0.0), 2) == 15.14


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("gredy", "agent 'gredy': unknown agent 'gredy': did you mean 'greedy'?"),
        ("expecti:depth=0", "agent 'expecti:depth=0': depth=0: expected a whole number from 1 to 64"),
    ],
)
def test_a_wrong_spec_is_refused_in_one_line(spec: str, message: str) -> None:
    with pytest.raises(ValueError) as error:
        wurfel.agent(spec)
    assert str(error.value) == message


def test_what_cannot_be_decided_is_refused() -> None:
    greedy = wurfel.agent("greedy")
    rest = Position("ABC2/DE3/F3f/3ed/2cba r")
    over = Position("5/5/5/5/4A b")
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: greedy.decide(rest), "expected one with a roll and moves"),
        (lambda: greedy.decide(wurfel.game("dicechess").start(), "P"), "expected one of einstein"),
        (lambda: greedy.decide(rest, "4", time=-1.0), "time=-1: expected seconds from 0.000001 to 86400"),
        (lambda: wurfel.analyse(over), "nothing to analyse, the game is over: red has won"),
        (lambda: wurfel.solve(over), "expected one before the end, but the game is over"),
        (lambda: wurfel.solve(rest, threads=0), "threads=0: expected a number from 1 to 1024"),
    ]
    for call, message in cases:
        with pytest.raises(ValueError) as error:
            call()
        assert message in str(error.value)


def test_python_goes_on_while_an_agent_thinks() -> None:
    # The other thread could not count if the search held the interpreter.
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    wurfel.analyse(Position("ABC2/DE3/F3f/3ed/2cba r 4"), "champion", time=0.5)
    done.set()
    counter.join()
    assert counted > 5


def test_ctrl_c_ends_a_long_search() -> None:
    # A search without a bound would go on for years.
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        wurfel.solve(Position("ABC2/DE3/F3f/3ed/2cba r 4"), threads=1)
    timer.join()
