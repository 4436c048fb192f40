#!/usr/bin/env python3
"""A whole engine for EinStein würfelt nicht! that speaks UGI with rolls (docs/protocol.md).

It looks one turn ahead of the opponent's roll and counts steps. Change `score` to make it stronger.
"""

import sys

RED, BLUE = 0, 1
START = "ABC2/DE3/F3f/3ed/2cba r - 1"
COLUMNS, ROWS = "abcde", "54321"  # The text of a position begins with row 5.


def read(text):
    """The board {(row, column): (side, number)}, the side to roll, and the roll or None."""
    words = text.split()
    board = {}
    for row, cells in enumerate(words[0].split("/")):
        column = 0
        for cell in cells:
            if cell.isdigit():
                column += int(cell)
            else:
                side = RED if cell.isupper() else BLUE
                board[row, column] = (side, "abcdef".index(cell.lower()) + 1)
                column += 1
    roll = int(words[2]) if len(words) > 2 and words[2] != "-" else None
    return board, RED if words[1] == "r" else BLUE, roll


def square(text):
    return ROWS.index(text[1]), COLUMNS.index(text[0])


def winner(board):
    """The side that has won, or None."""
    if board.get((4, 4), (None,))[0] == RED or all(side == RED for side, _ in board.values()):
        return RED
    if board.get((0, 0), (None,))[0] == BLUE or all(side == BLUE for side, _ in board.values()):
        return BLUE
    return None


def moves(board, side, roll):
    """The moves (from, to): of the cube that was rolled, or of its next living neighbours."""
    own = {number: at for at, (owner, number) in board.items() if owner == side}
    lower = sorted(number for number in own if number < roll)
    higher = sorted(number for number in own if number > roll)
    cubes = [roll] if roll in own else lower[-1:] + higher[:1]
    step = 1 if side == RED else -1
    ways = ((step, 0), (0, step), (step, step))
    found = [(own[cube], (own[cube][0] + down, own[cube][1] + right)) for cube in cubes for down, right in ways]
    return [(at, to) for at, to in found if 0 <= to[0] < 5 and 0 <= to[1] < 5]


def play(board, move):
    after = dict(board)
    after[move[1]] = after.pop(move[0])
    return after


def steps(board, side):
    """How many steps the cubes of a side need, the nearest counting most."""
    goal = 4 if side == RED else 0
    need = sorted(max(abs(goal - row), abs(goal - column))
                  for (row, column), (owner, _) in board.items() if owner == side)
    return sum(count / 2**place for place, count in enumerate(need))


def score(board, side):
    """How good a position is for `side`, which has just moved."""
    won = winner(board)
    if won is not None:
        return 100 if won == side else -100
    return steps(board, 1 - side) - steps(board, side)


def choose(board, side, roll):
    """The move with the best mean over the opponent's rolls and best answers."""
    def worth(move):
        after = play(board, move)
        if winner(after) is not None:
            return score(after, side)
        answers = [min(score(play(after, answer), side) for answer in moves(after, 1 - side, die))
                   for die in range(1, 7)]
        return sum(answers) / 6
    return max(moves(board, side, roll), key=worth)


class Engine:
    def __init__(self):
        self.board, self.side, self.roll = read(START)

    def position(self, words):
        cut = words.index("moves") if "moves" in words else len(words)
        text = START if words[0] == "startpos" else " ".join(words[1:cut])
        board, side, roll = read(text)
        for word in words[cut + 1:]:
            if word in "@1 @2 @3 @4 @5 @6".split() and roll is None and winner(board) is None:
                roll = int(word[1:])
                continue
            move = square(word[:2]), square(word[2:])
            if roll is None or move not in moves(board, side, roll):
                raise ValueError(f"'{word}' is not a roll or a legal move")
            board, side, roll = play(board, move), 1 - side, None
        self.board, self.side, self.roll = board, side, roll

    def go(self):
        if self.roll is None or winner(self.board) is not None:
            return ["info string error: go: expected a roll and a game that is not over", "bestmove 0000"]
        move = choose(self.board, self.side, self.roll)
        return ["bestmove " + "".join(COLUMNS[column] + ROWS[row] for row, column in move)]

    def answer(self, line):
        words = line.split()
        if words[0] == "ugi":
            return ["id name ewn.py", "id author you", "ugiok"]
        if words[0] == "isready":
            return ["readyok"]
        if words[0] == "go":
            return self.go()
        if words[0] in ("position", "uginewgame"):
            self.position(words[1:] if words[0] == "position" else ["startpos"])
        elif words[0] == "query":
            won = winner(self.board)
            known = {"p1turn": str(self.side == RED).lower(), "gameover": str(won is not None).lower(),
                     "result": {None: "none", RED: "p1win", BLUE: "p2win"}[won]}
            return ["response " + known[words[1]]]
        elif words[0] not in ("setoption", "stop", "ponderhit"):
            return [f"info string error: '{words[0]}': expected a command of UGI"]
        return []


def main():
    engine = Engine()
    sys.stdin.reconfigure(errors="replace")
    for line in sys.stdin:
        if line.split() == ["quit"]:
            break
        if line.strip():
            try:
                answers = engine.answer(line)
            except (ValueError, IndexError, KeyError) as error:
                answers = [f"info string error: {error}"]
            print("\n".join(answers), end="\n" if answers else "", flush=True)


if __name__ == "__main__":
    main()
