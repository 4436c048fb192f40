"""OpenSpiel knows EinStein würfelt nicht!, too: its games are replayed here, list of moves by list of moves."""

from __future__ import annotations

import os
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import wurfel

# A move goes from a row and a column, counted from the upper left corner, in one of these directions.
DIRECTIONS = ((1, 1), (1, 0), (0, 1), (-1, 0), (-1, -1), (0, -1))
SETUPS = list(permutations("123456"))


def square(row: int, column: int) -> str:
    """The name of a square."""
    return f"{'abcde'[column]}{5 - row}"


def move(action: int) -> str:
    """Their action as our move. The last digit only says whether something is captured."""
    rest, direction = divmod(action // 2, len(DIRECTIONS))
    row, column = divmod(rest, 5)
    down, across = DIRECTIONS[direction]
    return square(row, column) + square(row + down, column + across)


def start(upper: int, lower: int) -> wurfel.Position:
    """The position of two set-ups by their numbers. Theirs begins with the player in the lower right corner."""
    board = [["."] * 5 for _ in range(5)]
    for setup, letters, inside in ((upper, "ABCDEF", range(0, 3)), (lower, "abcdef", range(6, 9))):
        cubes = iter(SETUPS[setup])
        for row in range(5):
            for column in range(5):
                if row + column in inside:
                    board[row][column] = letters[int(next(cubes)) - 1]
    rows = ["".join(row) for row in board]
    text = "/".join(rows)
    for empty in range(5, 0, -1):
        text = text.replace("." * empty, str(empty))
    return wurfel.Position(f"{text} b")


def test_games_of_openspiel_have_the_same_moves_and_results() -> None:
    """`WURFEL_SPIEL_GAMES` says how many games."""
    pyspiel: Any = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("einstein_wurfelt_nicht")
    random = np.random.default_rng(1)
    games, plies, captures = int(os.environ.get("WURFEL_SPIEL_GAMES", 5000)), 0, 0
    for _ in range(games):
        state = game.new_initial_state()
        setups = [int(random.integers(720)) for _ in range(2)]
        for setup in setups:
            state.apply_action(setup)
        position = start(*setups)
        while not state.is_terminal():
            assert state.is_chance_node() and position.is_chance
            roll = int(random.integers(6))
            state.apply_action(roll)
            position = position.rolled(str(roll + 1))
            assert state.current_player() == position.side
            actions: list[int] = state.legal_actions()
            assert sorted(map(move, actions)) == sorted(position.legal_moves()), position.text
            action = actions[int(random.integers(len(actions)))]
            state.apply_action(action)
            position = position.play(move(action))
            plies, captures = plies + 1, captures + action % 2
        assert position.is_over and state.returns() == [2 * (position.result(side) or 0.0) - 1 for side in (0, 1)]
    assert 20 < plies / games < 23 and captures > games
