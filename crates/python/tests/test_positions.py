"""Positions, rolls and moves, against numbers that were computed independently of this program."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable

import pytest

import wurfel
from wurfel import Position

START = "ABC2/DE3/F3f/3ed/2cba r"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def perft(position: Position, depth: int) -> int:
    """Pairs of a face of the die and a move at the last of this many plies."""
    count = 0
    for face in "123456":
        rolled = position.rolled(face)
        moves = rolled.legal_moves()
        if depth == 1:
            count += len(moves)
            continue
        for move in moves:
            after = rolled.play(move)
            count += 0 if after.is_over else perft(after, depth - 1)
    return count


def test_perft_of_the_start_is_that_of_an_independent_program() -> None:
    assert [perft(Position(START), depth) for depth in (1, 2, 3)] == [18, 324, 6162]


def test_kiwipete_has_as_many_moves_of_each_kind_as_chess_without_check() -> None:
    position = Position(KIWIPETE, "dicechess")
    assert [len(position.rolled(kind).legal_moves()) for kind in "PNBRQK"] == [8, 11, 11, 5, 9, 4]


def test_merged_rolls_keep_their_weights() -> None:
    # Red has the cubes 2 and 5: 1 and 2 move the 2, 3 and 4 either, 5 and 6 the 5.
    position = Position("1B3/E4/5/5/4a r")
    assert [probability for _, probability in position.chance_outcomes()] == pytest.approx([1 / 3] * 3)
    assert [len(position.rolled(roll).legal_moves()) for roll, _ in position.chance_outcomes()] == [3, 6, 3]


@pytest.mark.parametrize("game", wurfel.games(), ids=lambda game: game.name)
def test_a_random_game_of_every_game_ends_and_its_texts_come_back(game: wurfel.Game) -> None:
    position = game.setup(seed=5)
    for turn in range(2000):
        assert game.position(position.text) == position
        assert pickle.loads(pickle.dumps(position)) == position
        if position.is_over:
            break
        if position.is_chance:
            outcomes = position.chance_outcomes()
            assert sum(probability for _, probability in outcomes) == pytest.approx(1.0)
            assert position.legal_moves() == []
            position = position.step_chance(seed=turn)
        else:
            moves = position.legal_moves()
            position = position.play(moves[turn % len(moves)])
    assert position.outcome in {"1-0", "0-1", "1/2-1/2"}
    results = [position.result(side) for side in (0, 1)]
    assert None not in results and sum(result or 0.0 for result in results) == 1.0
    assert position.winner == {"1-0": 0, "0-1": 1}.get(position.outcome)


def test_a_copied_position_that_is_stepped_draws_fresh_chance() -> None:
    # A planner that copies what it is given must not learn the dice of the game. The odds that forty fresh
    # dice agree are 6 ** -39.
    position = Position(START)
    for copied in (position, copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert copied == position
        assert len({copied.step_chance().roll for _ in range(40)}) > 1
    assert position.step_chance(seed=3) == position.step_chance(seed=3)


def test_a_position_is_shown_as_text_and_as_a_picture() -> None:
    position = Position("ABC2/DE3/F3f/3ed/2cba r 4 1")
    assert str(position) == "ABC2/DE3/F3f/3ed/2cba r 4 1"
    assert repr(position) == "Position('ABC2/DE3/F3f/3ed/2cba r 4 1', 'einstein')"
    assert position._repr_svg_().startswith("<svg") and position.svg().count("<rect") > 25
    assert "(D)" in position.diagram()


def test_positions_of_different_games_differ() -> None:
    assert Position(START) != Position(START, "einstein-nearest")
    assert len({Position(START), Position(START), Position(START + " 4")}) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ABC2", "position 'ABC2': it ends after character 4, expected '/' after the five squares of row 5"),
        (
            "ABC2/DE3/F3f/3ed/2cba x",
            "position 'ABC2/DE3/F3f/3ed/2cba x': character 23 is 'x', expected the side to roll, r or b",
        ),
    ],
)
def test_a_wrong_position_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(ValueError) as error:
        Position(text)
    assert str(error.value) == message


def test_positions_of_collections_and_books_are_read() -> None:
    stale = "r3k3/8/8/8/8/8/8/R4K1R w KQkq - 0 1"
    kept = stale.replace("KQkq", "q")
    game = wurfel.game("dicechess")
    with pytest.raises(ValueError, match="expected a king on e1 and a rook on h1 for this right"):
        game.position(stale)
    assert game.position(stale, drop_castling=True).text == kept
    assert Position(stale, "dicechess", drop_castling=True).text == kept
    book = Position("r3k3/3P4/8/8/8/8/8/4K3 w q - BPR", "dicechess3")
    assert book.roll == "PBR" and book.play("d7e8") == book.play("d7e8q")


@pytest.mark.skipif(not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="other threads warn for themselves")
def test_a_search_goes_on_without_tables_where_there_is_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    ending = Position("5/5/2C2/5/2c2 r 3")
    known = wurfel.solve(ending).value
    monkeypatch.setenv("HOME", "")
    for name in ("WURFEL_TABLES", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    with pytest.warns(RuntimeWarning, match="^searching without tables: "):
        assert wurfel.solve(ending).value == pytest.approx(known, abs=1e-4)
    with pytest.warns(RuntimeWarning, match="^searching without tables: "):
        assert wurfel.regret("greedy", 10, pieces=2).pieces == 2


def test_what_cannot_be_done_is_refused_in_one_line() -> None:
    rest = Position(START)
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: rest.play("a5b4"), "expected one with a roll: without it there are no moves"),
        (lambda: rest.rolled("7"), "die '7': expected a number 1-6"),
        (lambda: rest.rolled("4").rolled("4"), "expected one before the roll, but it has one"),
        (lambda: rest.rolled("4").play("a5b4"), "move 'a5b4': expected one of a4b4 a4a3 a4b3"),
        (lambda: rest.rolled("4").chance_outcomes(), "expected one in which a roll is due"),
        (lambda: rest.result(2), "side: expected 0 or 1"),
        (lambda: wurfel.game("einstien"), "unknown game 'einstien': did you mean 'einstein'?"),
    ]
    for call, message in cases:
        with pytest.raises(ValueError) as error:
            call()
        assert message in str(error.value) and "\n" not in str(error.value)


def test_a_negative_number_is_a_wrong_value_in_one_line() -> None:
    rest = Position(START)
    cases: list[tuple[Callable[[], object], str, int]] = [
        (lambda: wurfel.match("random", "random", 1, seed=-1), "seed=-1", 2**64 - 1),
        (lambda: wurfel.match("random", "random", -5), "pairs=-5", 2**64 - 1),
        (lambda: wurfel.tournament(["random", "greedy"], 1, threads=-2), "threads=-2", 2**64 - 1),
        (lambda: wurfel.agent("random", seed=-7), "seed=-7", 2**64 - 1),
        (lambda: wurfel.agent("random", seed=2**64), f"seed={2**64}", 2**64 - 1),
        (lambda: wurfel.VectorEnv(seed=-1), "seed=-1", 2**64 - 1),
        (lambda: wurfel.VectorEnv(size=-1), "size=-1", 2**64 - 1),
        (lambda: wurfel.VectorEnv(size=2).reset(-1), "seed=-1", 2**64 - 1),
        (lambda: wurfel.Budget(depth=-1), "depth=-1", 2**32 - 1),
        (lambda: wurfel.solve(rest, memory=-1), "memory=-1", 2**32 - 1),
        (lambda: rest.step_chance(-3), "seed=-3", 2**64 - 1),
        (lambda: rest.result(-1), "side=-1", 2**64 - 1),
    ]
    for call, named, most in cases:
        with pytest.raises(ValueError) as error:
            call()
        assert str(error.value) == f"{named}: expected a whole number from 0 to {most}"
    with pytest.raises(TypeError, match="'seed'"):
        wurfel.agent("random", seed="1")  # type: ignore[arg-type]
