"""Moves as the integers of an encoding, which is how environments name them."""

from __future__ import annotations

import operator
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from wurfel._wurfel import Encoding, Position, encode, game, legal_mask, move_indices


def encoding_of(name: str, encoding: str | None) -> Encoding:
    """The encoding of a game with this name, or its default one."""
    known = game(name).encodings
    for of in known:
        if encoding in (None, of.name):
            return of
    names = " or ".join(of.name for of in known)
    raise ValueError(f"encoding '{encoding}': expected {names}")


def whole(action: SupportsIndex) -> int:
    """The action as a Python integer; a fraction is refused, not rounded."""
    try:
        return operator.index(action)
    except TypeError:
        raise ValueError(f"action {' '.join(str(action).split())}: expected a whole number") from None


def find(position: Position, action: SupportsIndex, encoding: str) -> str | None:
    """The legal move with this index; ``None`` when there is none."""
    moves = dict(zip(move_indices(position, encoding), position.legal_moves(), strict=True))
    return moves.get(whole(action))


def observe(position: Position, encoding: str) -> NDArray[np.float32]:
    """What the side to move sees: shape (planes, rows, columns)."""
    planes: NDArray[np.float32] = encode([position], encoding)[0]
    return planes


def mask(position: Position, encoding: str) -> NDArray[np.int8]:
    """1 for each legal action and 0 for the others: shape (moves,)."""
    legal: NDArray[np.int8] = legal_mask([position], encoding)[0].astype(np.int8)
    return legal
