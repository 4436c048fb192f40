"""Plots of a match and of a review, each by one call. They need matplotlib (the extra ``wurfel[plot]``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wurfel._wurfel import GameReview, MatchResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _axes(axes: Axes | None) -> Axes:
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib: expected pip install 'wurfel[plot]'") from error
    return pyplot.figure().add_subplot()


def match(result: MatchResult, axes: Axes | None = None) -> Axes:
    """How many pairs brought the first agent 0, ½, 1, 1½ and 2 points; its win rate is in the title.

    ``axes`` is where to draw; without it a new figure is made. Returns the axes.
    """
    shown = _axes(axes)
    shown.bar(["0", "½", "1", "1½", "2"], result.pair_points)
    low, high = result.interval
    first, second = result.agents
    shown.set_title(f"{first} against {second}: {result.win_rate:.1%} ({low:.1%} to {high:.1%})")
    shown.set_xlabel(f"points of {first} in a pair of games")
    shown.set_ylabel("pairs")
    return shown


def review(game: GameReview, axes: Axes | None = None) -> Axes:
    """The win probability of the first side after each move; marks such as ?? are beside their moves.

    ``axes`` is where to draw; without it a new figure is made. Returns the axes.
    """
    shown = _axes(axes)
    columns = game.columns()
    values = [value if side == 0 else 1 - value for side, value in zip(columns["side"], columns["value"], strict=True)]
    shown.plot([0, *columns["ply"]], [game.initial, *values], marker=".")
    for ply, value, mark in zip(columns["ply"], values, columns["mark"], strict=True):
        if mark:
            shown.annotate(mark, (ply, value))
    shown.set_ylim(0, 1)
    shown.axhline(0.5, linewidth=0.5, color="grey")
    first, second = game.players
    shown.set_title(f"{first} against {second}")
    shown.set_xlabel("turn")
    shown.set_ylabel(f"win probability of {first}")
    return shown
