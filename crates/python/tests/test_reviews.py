"""Reviews of games that were played."""

from __future__ import annotations

from pathlib import Path

import pytest

import wurfel

GAME = "5/1A3/2B2/2c1a/5 b 4 1 c2b2 @1 b4c4 @3 b2a2"


def test_luck_losses_and_residual_add_up_to_how_the_value_changed(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    wurfel.match("greedy", "random", 2, 1, 1, out=out)
    told: list[tuple[int, int]] = []
    reviews = wurfel.review(
        out.read_text(), "expecti", 2, depth=1, progress=lambda done, games: told.append((done, games))
    )
    assert len(reviews) == 4 and told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert [review.luck for review in wurfel.review(out, "expecti", depth=1)] == [review.luck for review in reviews]
    assert reviews[0].players == ("greedy", "random") and reviews[1].players == ("random", "greedy")
    for review in reviews:
        gained = review.luck[0] - review.luck[1] - review.lost[0] + review.lost[1] + review.residual
        assert review.initial + gained == pytest.approx(review.last, abs=1e-5)
        assert review.last == {"1-0": 1.0, "0-1": 0.0}[review.outcome or ""]


def test_a_review_is_a_table_of_decisions_with_exact_values_near_the_end() -> None:
    (review,) = wurfel.review(GAME)
    columns = review.columns()
    assert {len(column) for column in columns.values()} == {len(review)} == {3}
    assert columns["move"] == ["c2b2", "b4c4", "b2a2"] and columns["roll"] == ["4", "1", "3"]
    assert columns["side"] == [1, 0, 1] and all(columns["exact"])
    solution = wurfel.solve(wurfel.Position("5/1A3/2B2/2c1a/5 b 4"))
    assert columns["value"][0] == pytest.approx(solution.value, abs=1e-6)
    assert columns["best"][0] == columns["value"][0] and columns["lost"][0] == 0.0
    assert review._repr_svg_().startswith("<svg")
    (alone,) = wurfel.review(GAME, exact=False)
    assert not alone.columns()["exact"][0]


def test_a_wrong_game_is_refused_with_its_place() -> None:
    with pytest.raises(ValueError, match="line 1"):
        wurfel.review("5/1A3/2B2/2c1a/5 b - 1 @4 c2c1")
