"""Games that were played, as columns."""

from __future__ import annotations

from pathlib import Path

import pytest

import wurfel
from wurfel import Budget, Position

GAME = "5/1A3/2B2/2c1a/5 b - 1 @4 c2b2 @1 b4c4 @3 b2a2"


class Raises:
    def decide(self, turn: Position, budget: Budget) -> str:
        raise LookupError("no idea")


@pytest.mark.parametrize("game", ["einstein", "dicechess3"])
def test_the_columns_of_a_match_are_its_games_move_by_move(game: str, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    result = wurfel.match("greedy", "random", 10, 3, 1, game=game, out=out)
    records = wurfel.records(out)
    games, moves = records.games(), records.moves(positions=True)
    assert (records.game, len(records)) == (game, 20) and {len(column) for column in games.values()} == {20}
    assert games["pair"] == [number // 2 for number in range(20)]
    assert games["side_0"][:2] == ["greedy", "random"] and games["side_1"][:2] == ["random", "greedy"]
    won = sum(games[f"side_{winner}"][row] == "greedy" for row, winner in enumerate(games["winner"]) if winner is not None)
    assert won == result.wins and sum(games["plies"]) / 20 == pytest.approx(result.mean_plies)
    (rows,) = {len(column) for column in moves.values()}
    positions: list[Position] = [wurfel.game(game).position(start) for start in games["start"]]
    for row in range(rows):
        number: int = moves["game"][row]
        position: Position = positions[number]
        if moves["rolled"][row]:
            position = position.rolled(moves["roll"][row])
        assert (position.text, position.side, position.ply) == tuple(moves[of][row] for of in ("position", "side", "ply"))
        assert position.roll == moves["roll"][row] and moves["player"][row] == games[f"side_{position.side}"][number]
        positions[number] = position.play(moves["move"][row])
        winner = games["winner"][number]
        assert moves["points"][row] == (0.5 if winner is None else float(winner == position.side))
    assert [position.outcome for position in positions] == games["result"]
    assert "position" not in records.moves()


def test_a_game_that_was_lost_by_a_fault_says_so(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    wurfel.match(Raises, "random", 1, 1, 1, out=out)
    games = wurfel.records(out).games()
    assert games["fault"] == ["crash", "crash"] and games["fault_side"] == [0, 1] and games["winner"] == [1, 0]
    assert all(reason.startswith("it raised LookupError: no idea") for reason in games["reason"])


def test_a_tournament_writes_a_folder_that_is_read_as_one(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    agents = ["random", "greedy", "expecti:depth=1"]
    result = wurfel.tournament(agents, 5, 2, 1, out=folder)
    assert sorted(file.name for file in folder.glob("*.jsonl")) == [
        "games-1-2.jsonl",
        "games-1-3.jsonl",
        "games-2-3.jsonl",
    ]
    games = wurfel.records(folder).games()
    assert len(games["pair"]) == 30 and games["side_0"][10:12] == ["random", "expecti:depth=1"]
    wins = [result.matches[number].wins for number in range(3)]
    first = [of.agents[0] for of in result.matches]
    for number in range(3):
        rows = range(10 * number, 10 * number + 10)
        assert wins[number] == sum(games[f"side_{games['winner'][row]}"][row] == first[number] for row in rows)
    assert len(wurfel.records(folder / "games-1-2.jsonl", folder / "games-2-3.jsonl")) == 20


def test_an_open_game_has_no_result() -> None:
    for text in (GAME[: GAME.index(" @1")], GAME[: GAME.index(" @1")].encode()):
        records = wurfel.records(text)
        games, moves = records.games(), records.moves()
        assert (games["result"], games["winner"], games["pair"], games["plies"]) == ([None], [None], [None], [1])
        assert (moves["move"], moves["points"], moves["player"]) == (["c2b2"], [None], ["blue"])


def test_what_has_no_games_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="games: expected at least one text or path"):
        wurfel.records()
    with pytest.raises(FileNotFoundError, match="none.jsonl': "):
        wurfel.records(tmp_path / "none.jsonl")
    with pytest.raises(ValueError, match=r"': expected files that end in .jsonl$"):
        wurfel.records(tmp_path)
    with pytest.raises(ValueError, match="line 1"):
        wurfel.records(GAME, "5/5/5/5/4x r - 1")
    other = tmp_path / "other.jsonl"
    wurfel.match("random", "random", 1, 1, 1, game="dicechess3", out=other)
    with pytest.raises(ValueError, match="expected games of einstein"):
        wurfel.records(GAME, other)
