"""Were the dice of a game on wurfel's site fair? Needs nothing but Python.

    python3 verify_dice.py GAME.json [COMMITMENT [SALT]]

GAME.json is the saved game; COMMITMENT and SALT are what the page showed before it.
Exit code 0: fair. 1: forged. 2: it cannot be told.
"""
import hashlib, itertools, json, sys


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def ways(game):
    """The equally likely ways in which the dice fall."""
    if not game.startswith("dicechess"):
        return "123456"
    if game != "dicechess3":
        return "PNBRQK"
    three = itertools.combinations_with_replacement("PNBRQK", 3)
    return ["".join(dice) for dice in three for _ in range((0, 1, 3, 6)[len(set(dice))])]


def lines(record):
    """The game as it stood at each take-back, and at the end: what was kept, and all turns."""
    rolled = lambda part: [part["rolled"]] if part.get("rolled") else []
    line, found = record["steps"] + rolled(record), []
    for back in reversed(record.get("taken_back", [])):
        found.insert(0, (back["kept"], line))
        line = line[: back["kept"]] + back["steps"] + rolled(back)
    return [(0, line), *found]


def forgery(record, commitment, salt):
    dice, fall = record["dice"], ways(record["game"])
    if sha(dice["seed"]) != dice["commitment"] or commitment not in (None, dice["commitment"]):
        return "the seed is not the one of the commitment"
    if salt is not None and salt not in dice["salt"].split("-"):
        return "the salt is another one"
    seen, before = 0, None
    for kept, line in lines(record):
        game = Chess(record["start"], record["game"]) if fall == "PNBRQK" else None
        for place, turn in enumerate(line):
            facts = [turn["roll"], turn.get("number"), turn.get("void", [])]
            if turn.get("rest"):
                left = sorted(line[place - 1]["roll"]) if place else []
                if game or not any(sorted(turn["roll"]) == left[:n] + left[n + 1 :] for n in range(len(left))):
                    return f"move {place + 1} has dice that were not left"
            elif place == kept and before:
                if facts != [before[place].get(key, []) for key in ("roll", "number", "void")]:
                    return f"after a take-back roll {facts[1]} is another one"
            elif place >= kept:
                for face in [*facts[2], turn["roll"]]:
                    seen += 1
                    if face != fall[int(sha(f"{dice['seed']}:{dice['salt']}:{seen}"), 16) % len(fall)]:
                        return f"roll {seen} did not fall {face}"
                if facts[1] != seen or any(not game or game.moves(face) for face in facts[2]):
                    return f"a roll before roll {seen} was left out"
            if game and "move" in turn:
                game.play(turn["move"])
        before = line
    return None if seen == dice["rolls"] else f"{dice['rolls']} rolls were made, {seen} are there"


STRAIGHT, DIAGONAL = [(0, 1), (1, 0), (0, -1), (-1, 0)], [(1, 1), (1, -1), (-1, -1), (-1, 1)]
JUMPS = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]
NEAR = {"N": JUMPS, "B": DIAGONAL, "R": STRAIGHT, "Q": STRAIGHT + DIAGONAL, "K": STRAIGHT + DIAGONAL}


class Chess:
    """As much of Dice Chess as says whether a kind of piece can move at all."""

    def __init__(self, fen, rules):
        self.promotes = rules == "dicechess-promotion"  # by a die that shows the new kind
        rows, side, _, passed = fen.split()[:4]
        self.pieces, self.white = {}, side == "w"
        self.passed = (ord(passed[0]) - 97, int(passed[1]) - 1) if passed != "-" else None
        for y, row in enumerate(rows.split("/")):
            for x, sign in enumerate("".join(" " * int(s) if s.isdigit() else s for s in row)):
                if sign != " ":
                    self.pieces[x, 7 - y] = sign

    def moves(self, face):
        own = lambda square: square in self.pieces and self.pieces[square].isupper() == self.white
        ahead = 1 if self.white else -1
        for (x, y), piece in self.pieces.items():
            if not own((x, y)):
                continue
            if piece.upper() == face != "P":
                near = [(x + dx, y + dy) for dx, dy in NEAR[face]]
                if any(0 <= min(to) and max(to) < 8 and not own(to) for to in near):
                    return True
            if piece in "Pp" and (face == "P" or self.promotes and face in "NBRQ" and y == (6 if self.white else 1)):
                takes = [(x - 1, y + ahead), (x + 1, y + ahead)]
                if (x, y + ahead) not in self.pieces or any(to in self.pieces and not own(to) or to == self.passed for to in takes):
                    return True
        return False

    def play(self, move):
        (a, b), (c, d) = [(ord(move[n]) - 97, int(move[n + 1]) - 1) for n in (0, 2)]
        piece = self.pieces.pop((a, b))
        if piece in "Pp" and a != c and (c, d) not in self.pieces:
            del self.pieces[c, b]
        if piece in "Kk" and abs(a - c) == 2:
            self.pieces[(a + c) // 2, b] = self.pieces.pop((7 if c > a else 0, b))
        new = move[4:] or piece
        self.pieces[c, d] = new.upper() if self.white else new.lower()
        self.passed = (a, (b + d) // 2) if piece in "Pp" and abs(b - d) == 2 else None
        self.white = not self.white


def main(path, commitment=None, salt=None):
    """Prints a verdict and returns the exit code."""
    try:
        with open(path, encoding="utf-8") as file:
            game = json.loads(file.read())
        # Dice that were typed in have no seed; one that is there all the same says nothing about them.
        if game["version"] != 2 or game["dice"]["kind"] != "fair" or not game["dice"]["seed"]:
            raise ValueError("no dice of a finished game")
    except (OSError, KeyError, TypeError, ValueError) as error:
        print(f"this cannot be checked here: {error}")
        return 2
    try:
        found = forgery(game, commitment, salt)
    except (IndexError, KeyError, TypeError, ValueError, AttributeError) as error:
        found = f"the record is not what it should be: {error!r}"
    print(f"FORGED: {found}" if found else f"{game['dice']['rolls']} rolls, all as seed and salt say")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
