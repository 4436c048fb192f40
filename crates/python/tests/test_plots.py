"""Plots of a match and of a review."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import wurfel
from wurfel import plot


def test_a_match_is_plotted_by_the_points_in_its_pairs() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    result = wurfel.match("greedy", "random", pairs=20, seed=1)
    axes = plot.match(result)
    assert [bar.get_height() for bar in axes.containers[0]] == result.pair_points  # pyright: ignore
    assert axes.get_title().startswith("greedy against random: ")
    # A figure of one's own is drawn into.
    assert plot.match(result, axes) is axes


def test_a_review_is_plotted_as_the_value_of_the_first_side() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    (game,) = wurfel.review("@4 a4b4 @1 e1e2 @3 c5d4", depth=2)
    axes = plot.review(game)
    values = np.asarray(axes.lines[0].get_ydata(), float)
    columns = game.columns()
    assert len(values) == 1 + len(game) and values[0] == game.initial
    assert values[1] == columns["value"][0] and values[2] == pytest.approx(1 - columns["value"][1])


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'wurfel\[plot\]'"):
        plot.match(wurfel.match("greedy", "random", pairs=2, seed=1))
