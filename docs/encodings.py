"""The encodings of wurfel, written a second time from docs/encodings.md. Needs nothing but Python.

    wurfel network planes - --encoding ewn-v3 --json < POSITIONS | python3 encodings.py
    python3 encodings.py checksum NET.safetensors

The first form reads what `wurfel network planes --json` prints, calculates the planes and the indices
of the moves again, and tells the first difference (exit code 1). The second prints the checksum of the
parameters in a network file.
"""
import json, re, struct, sys

# ---------------------------------------------------------------- EWN


def ewn_position(text):
    """The cubes of red and blue as {number 0-5: (row, column)}, the side to move, and the die or None."""
    board, side, die, *_ = text.split() + ["-"]
    cubes = {"r": {}, "b": {}}
    for row, line in enumerate(board.split("/")):
        column = 0
        for sign in line:
            if sign.isdigit():
                column += int(sign)
                continue
            owner = "r" if sign.isupper() else "b"
            cubes[owner][ord(sign.upper()) - ord("A")] = (row, column)
            column += 1
    return cubes, side, None if die == "-" else int(die) - 1


def ewn_movable(alive, face, nearest):
    """The cubes that a face, counted from 0, lets move."""
    if face in alive:
        return {face}
    lower, higher = [c for c in alive if c < face], [c for c in alive if c > face]
    found = {max(lower)} if lower else set()
    found |= {min(higher)} if higher else set()
    if nearest and len(found) == 2 and 2 * face != sum(found):
        found = {min(found, key=lambda cube: abs(cube - face))}
    return found


def ewn_planes(name, text, nearest):
    cubes, side, die = ewn_position(text)
    other = "b" if side == "r" else "r"
    turned = side == "b" and name != "ewn-v1"
    cell = lambda at: 24 - (5 * at[0] + at[1]) if turned else 5 * at[0] + at[1]
    planes = [[0.0] * 25 for _ in range(14 if name == "ewn-v2" else 16)]
    for first, owner in ((0, side), (6, other)):
        for cube, at in cubes[owner].items():
            planes[first + cube][cell(at)] = 1.0
    if name == "ewn-v1":
        sign = 1 if side == "r" else -1
        for row, column in cubes[side].values():
            ahead, aside = 0 <= row + sign < 5, 0 <= column + sign < 5
            for plane, stays in ((12, aside), (13, ahead), (14, ahead and aside)):
                planes[plane][5 * row + column] = float(sign) if stays else 0.0
        planes[15] = [float(sign)] * 25
        return planes
    if die is not None:
        for cube in ewn_movable(cubes[side], die, nearest):
            # The cube at its goal cannot move; before the end of the game none is there.
            planes[12][cell(cubes[side][cube])] = 1.0
    planes[13] = [1.0] * 25
    if name == "ewn-v3":
        for plane, owner in ((14, side), (15, other)):
            for face in range(6):
                for cube in ewn_movable(cubes[owner], face, nearest):
                    planes[plane][cell(cubes[owner][cube])] += 1 / 6
    return planes


def ewn_index(name, text, move, moves, nearest):
    cubes, side, _ = ewn_position(text)
    place = lambda word: (5 - int(word[1]), ord(word[0]) - ord("a"))
    (row, column), (to_row, to_column) = start, end = place(move[:2]), place(move[2:])
    direction = 0 if row == to_row else 1 if column == to_column else 2
    cube = next(cube for cube, at in cubes[side].items() if at == start)
    if name == "ewn-v2":
        return 3 * cube + direction
    if name == "ewn-v3":
        at = 5 * row + column
        return 25 * direction + (at if side == "r" else 24 - at)
    starts = {place(other[:2]) for other in moves}
    choices = sorted(cube for cube, at in cubes[side].items() if at in starts)
    choice = 0 if len(choices) == 1 else 1 + choices.index(cube)
    there = [owner for owner in cubes if end in cubes[owner].values()]
    target = 0 if not there else 2 if there[0] == side else 1
    return 9 * choice + 3 * direction + target


# ---------------------------------------------------------------- Dice Chess

KINDS = "PNBRQK"
LEAPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
STRAIGHT, DIAGONAL = [(1, 0), (-1, 0), (0, 1), (0, -1)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]
STEPS = {"N": LEAPS, "K": STRAIGHT + DIAGONAL, "B": DIAGONAL, "R": STRAIGHT, "Q": STRAIGHT + DIAGONAL}


class Chess:
    """A position seen from the side to move: squares are (file, rank), ranks counted from its own."""

    def __init__(self, text):
        fields = text.split()
        board, side, rights, passed, quiet, _, dice = fields + ["-", "-", "0", "1", "-"][len(fields) - 2:]
        self.side, self.quiet = side, int(quiet)
        self.pieces = {}
        for rank, line in zip(range(7, -1, -1), board.split("/")):
            file = 0
            for sign in line:
                if sign.isdigit():
                    file += int(sign)
                    continue
                owner = "w" if sign.isupper() else "b"
                self.pieces[self.seen((file, rank))] = (owner == side, sign.upper())
                file += 1
        own, enemy = ("KQ", "kq") if side == "w" else ("kq", "KQ")
        self.rights = [float(letter in rights) for letter in own + enemy]
        # The enemy's pawns have passed squares on the sixth rank, the side's own ones on the third.
        self.files = {ord(file) - ord("a") for file in re.findall(f"([a-h]){'6' if side == 'w' else '3'}", passed)}
        self.dice = "" if dice == "-" else dice.upper()

    def seen(self, square):
        return square if self.side == "w" else (square[0], 7 - square[1])

    def own(self, kind):
        return [square for square, piece in self.pieces.items() if piece == (True, kind)]

    def passed(self):
        return [(file, 5) for file in self.files if (file, 5) not in self.pieces]

    def attacks(self, kind):
        found = set()
        for file, rank in self.own(kind):
            if kind == "P":
                found |= {(file - 1, rank + 1), (file + 1, rank + 1)}
            for across, up in STEPS.get(kind, []):
                for length in range(1, 2 if kind in "NK" else 8):
                    at = (file + length * across, rank + length * up)
                    found.add(at)
                    if at in self.pieces:
                        break
        return {(file, rank) for file, rank in found if 0 <= file < 8 and 0 <= rank < 8}

    def movable(self, promotes_by_die):
        """The kinds of which some piece can move."""
        free = lambda at: not self.pieces.get(at, (False, ""))[0]
        found = {kind for kind in "NBRQK" if any(free(at) for at in self.attacks(kind))}
        enters = lambda file, rank: (file, rank + 1) not in self.pieces or any(
            at in self.passed() or self.pieces.get(at, (True, ""))[0] is False
            for at in ((file - 1, rank + 1), (file + 1, rank + 1)))
        able = [square for square in self.own("P") if enters(*square)]
        found |= {"P"} if able else set()
        if promotes_by_die and any(rank == 6 for _, rank in able):
            found |= set("NBRQ")
        return found

    def turned(self):
        """The same with the other side to move and nothing else changed."""
        other = object.__new__(Chess)
        other.__dict__ = {**self.__dict__, "side": "b" if self.side == "w" else "w"}
        other.pieces = {(f, 7 - r): (not own, kind) for (f, r), (own, kind) in self.pieces.items()}
        return other


def chess_planes(text, moves, promotes_by_die):
    position = Chess(text)
    other = position.turned()
    cells = lambda squares: {8 * rank + file for file, rank in squares}
    flipped = lambda squares: [(file, 7 - rank) for file, rank in squares]
    sets = [cells(position.own(kind)) for kind in KINDS]
    sets += [cells(position.attacks(kind)) for kind in KINDS]
    sets += [cells(flipped(other.own(kind))) for kind in KINDS]
    sets += [cells(flipped(other.attacks(kind))) for kind in KINDS]
    square = lambda word: position.seen((ord(word[0]) - ord("a"), int(word[1]) - 1))
    sets.append(cells(square(move) for move in moves if move != "0000"))
    sets.append(cells(position.passed()))
    planes = [[float(cell in of) for cell in range(64)] for of in sets]
    numbers = [float(position.dice.count(kind)) for kind in KINDS] + position.rights
    numbers += [position.quiet / 100, 1 / max(1, len(other.movable(promotes_by_die))), 1.0]
    return planes + [[number] * 64 for number in numbers]


def chess_index(text, move):
    if move == "0000":
        return 0
    position = Chess(text)
    square = lambda word: position.seen((ord(word[0]) - ord("a"), int(word[1]) - 1))
    (file, rank), (to_file, to_rank) = square(move), square(move[2:])
    across, up = to_file - file, to_rank - rank
    if move[4:] in ("n", "b", "r"):
        way = 64 + 3 * "nbr".index(move[4:]) + across + 1
    elif (across, up) in LEAPS:
        way = 56 + LEAPS.index((across, up))
    else:
        sign = lambda number: (number > 0) - (number < 0)
        direction = 3 * (sign(up) + 1) + sign(across) + 1
        way = 7 * (direction - (direction > 4)) + max(abs(across), abs(up)) - 1
    return 64 * way + 8 * rank + file


# ---------------------------------------------------------------- comparing


def expected(seen):
    """The planes and the indices that a line of `wurfel network planes --json` should have."""
    name, game, text = seen["encoding"], seen["game"], seen["position"]
    moves = [entry["move"] for entry in seen["moves"]]
    if name == "dicechess-v1":
        by_die = game == "dicechess-promotion"
        return chess_planes(text, moves, by_die), [chess_index(text, move) for move in moves]
    nearest = game == "einstein-nearest"
    indices = [ewn_index(name, text, move, moves, nearest) for move in moves]
    return ewn_planes(name, text, nearest), indices


def difference(seen):
    planes, indices = expected(seen)
    if len(planes) != len(seen["planes"]):
        return f"{len(seen['planes'])} planes, not {len(planes)}"
    for number, (is_, wanted) in enumerate(zip(seen["planes"], planes)):
        for cell, (one, other) in enumerate(zip(is_, wanted)):
            if abs(one - other) > 1e-6:
                return f"plane {number}, cell {cell}: {one}, not {other}"
    for entry, index in zip(seen["moves"], indices):
        if entry["index"] != index:
            return f"{entry['move']}: output {entry['index']}, not {index}"
    return None


def checksum(path):
    """The checksum of a network file: FNV-1a over its encoding, its sizes and its parameters."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header, data = json.loads(file.read(length)), file.read()
    card = json.loads(header.pop("__metadata__")["wurfel"])
    shape = card["architecture"]
    names = "board planes moves filters convolutions blocks policy_channels value_channels value_hidden"
    sizes = [shape[name] for name in names.split()]
    sizes += [1] if shape.get("spatial_policy") else []
    sizes += [2] if shape.get("afterstate_value") else []
    convolution = lambda name: [f"{name}.conv.weight"] + [
        f"{name}.norm.{part}" for part in ("weight", "bias", "running_mean", "running_var")]
    linear = lambda name: [f"{name}.weight", f"{name}.bias"]
    order = []
    for layer in range(shape["convolutions"] + 2 * shape["blocks"]):
        order += convolution(f"tower.{layer}")
    order += convolution("policy") + linear("policy.moves") + convolution("value")
    order += linear("value.hidden") + linear("value.out")
    hashed = f"{card['encoding']} {sizes}\n".encode()
    for name in order:
        start, end = header[name]["data_offsets"]
        hashed += data[start:end]
    value = 0xCBF29CE484222325
    for byte in hashed:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "checksum":
        print(checksum(sys.argv[2]))
        return
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    count = 0
    for line in sys.stdin:
        seen = json.loads(line)
        wrong = difference(seen)
        if wrong:
            sys.exit(f"{seen['encoding']}, {seen['position']}: {wrong}")
        count += 1
    print(f"{count} positions are encoded as docs/encodings.md says")


if __name__ == "__main__":
    main()
