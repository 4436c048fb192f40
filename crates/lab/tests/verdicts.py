"""Decides all claims of stored experiments anew, from their figures and definitions, with none of our code.

Usage: python3 verdicts.py FOLDER, the folder with the experiments. It reads what docs/reproduce.md describes,
experiment.toml, paper.csv, result.csv and run.json, prints every figure and verdict that it finds otherwise, and
fails if there is one.
"""

import csv
import json
import math
import sys
import tomllib
from pathlib import Path

HOLDS, FAILS, EQUAL, UNDECIDED = "holds", "fails", "equal", "undecided"
NOT_HERE, CANNOT = "not at this scale", "cannot be decided"
SAME_DICE = " on the same dice"


class Cell:
    def __init__(self, row, column, value, interval, n, unit):
        self.row, self.column, self.value, self.interval = row, column, value, interval
        self.n, self.unit = n, unit

    @property
    def is_bare_time(self):
        return self.interval is None and "ns" in self.unit.split(" ")

    @property
    def ends(self):
        return self.interval or (self.value, self.value)

    @property
    def known(self):
        """What a verdict may rest on: a time without an interval decides nothing."""
        return (-math.inf, math.inf) if self.is_bare_time else self.ends

    @property
    def reaches(self):
        return self.value - self.ends[0], self.ends[1] - self.value


def fits(pattern, text):
    """What the star of the pattern stands for, or None."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if pattern == text else None
    long_enough = len(text) >= len(before) + len(after)
    if long_enough and text.startswith(before) and text.endswith(after):
        return text[len(before) : len(text) - len(after)]
    return None


def fitting(cells, pattern):
    row = pattern.get("row", "*")
    return [
        (cell, fits(row, cell.row))
        for cell in cells
        if fits(pattern["column"], cell.column) is not None and fits(row, cell.row) is not None
    ]


def find(cells, row, column):
    return next((cell for cell in cells if (cell.row, cell.column) == (row, column)), None)


# Cells that follow from others.


def spread(value, below, above, cells):
    """The value, with an interval if one of the cells has one and none is a time of unknown precision."""
    known = any(cell.interval for cell in cells) and not any(cell.is_bare_time for cell in cells)
    return value, (value - below, value + above) if known else None


def summary(wanted, cells):
    """The value and interval of a summary; None where a cell is missing."""
    if "mean" in wanted:
        found = [cell for cell, _ in fitting(cells, wanted["mean"])]
        if not found:
            return None
        below = math.hypot(*(cell.reaches[0] for cell in found)) / len(found)
        above = math.hypot(*(cell.reaches[1] for cell in found)) / len(found)
        return spread(sum(cell.value for cell in found) / len(found), below, above, found)
    if "double" in wanted:
        found = fitting(cells, wanted["double"])
        if not found:
            return None
        cell = found[0][0]
        return 2 * cell.value, cell.interval and (2 * cell.interval[0], 2 * cell.interval[1])
    pair = [fitting(cells, pattern) for pattern in wanted.get("difference") or wanted["ratio"]]
    if not all(pair):
        return None
    one, other = (found[0][0] for found in pair)
    if "difference" in wanted:
        below = math.hypot(one.reaches[0], other.reaches[1])
        above = math.hypot(one.reaches[1], other.reaches[0])
        return spread(one.value - other.value, below, above, [one, other])
    if other.value == 0:
        return None
    value = one.value / other.value
    share = lambda reach, of: reach / of if of else 0.0
    below = math.hypot(share(one.reaches[0], one.value), share(other.reaches[1], other.value))
    above = math.hypot(share(one.reaches[1], one.value), share(other.reaches[0], other.value))
    return spread(value, abs(value) * below, abs(value) * above, [one, other])


# Verdicts.


def decided(holds, fails):
    return HOLDS if holds else FAILS if fails else UNDECIDED


def together(verdicts):
    return next((one for one in (FAILS, NOT_HERE, UNDECIDED, EQUAL) if one in verdicts), HOLDS)


def difference(cells, one, other):
    """The interval of one less other, if both were played on the same dice."""
    for first, second, sign in ((one, other, 1), (other, one, -1)):
        row = first.row if first.row == second.row else f"{first.row} less {second.row}"
        column = first.column if first.column == second.column else f"{first.column} less {second.column}"
        cell = find(cells, row, column + SAME_DICE)
        if cell:
            return tuple(sorted(sign * end for end in cell.ends))
    return None


def over(cells, upper, lower):
    return less_above(cells, lower, upper, 0)


def less_above(cells, one, other, margin):
    apart = difference(cells, one, other)
    if not apart:
        if one.is_bare_time or other.is_bare_time:
            return UNDECIDED
        value = one.value - other.value
        apart = (
            value - math.hypot(one.reaches[0], other.reaches[1]),
            value + math.hypot(one.reaches[1], other.reaches[0]),
        )
    return decided(apart[1] < margin, apart[0] >= margin)


def near(cell, value, within):
    low, high = cell.known
    least, most = value - within, value + within
    return decided(least <= low and high <= most, high < least or most < low)


def on_one(check, cell, star, cells, paper):
    found = strictly(check, cell, star, cells, paper)
    if found != UNDECIDED or "equal_within" not in check:
        return found
    margin = check["equal_within"]
    for side in ("above", "below"):
        if side in check:
            equal = near(cell, check[side], margin)
        elif f"{side}_cell" in check:
            as_near = {"near_cell": {**check[f"{side}_cell"], "by": margin}}
            equal = strictly(as_near, cell, star, cells, paper)
    return EQUAL if equal == HOLDS else UNDECIDED


def strictly(check, cell, star, cells, paper):
    low, high = cell.known
    if "above" in check:
        return decided(low > check["above"], high <= check["above"])
    if "below" in check:
        return decided(high < check["below"], low >= check["below"])
    if "near" in check:
        return near(cell, check["near"]["value"], check["near"]["within"])
    if "near_paper" in check or check.get("within_paper"):
        figure = paper.get((cell.row, cell.column))
        if figure is None:
            return NOT_HERE
        if "near_paper" in check:
            return near(cell, figure, check["near_paper"])
        return decided(low <= figure <= high, figure < low or high < figure)
    kind = next(key for key in ("above_cell", "below_cell", "not_above_cell", "near_cell") if key in check)
    pattern = check[kind]
    row = pattern.get("row", "*")
    row = cell.row if row == "*" else row.replace("*", star)
    other = find(cells, row, pattern["column"])
    if other is None:
        return NOT_HERE
    if kind == "above_cell":
        return over(cells, cell, other)
    if kind == "below_cell":
        return over(cells, other, cell)
    verdicts = [less_above(cells, cell, other, pattern["by"])]
    if kind == "near_cell":
        verdicts.append(less_above(cells, other, cell, pattern["by"]))
    return together(verdicts)


def verdict(check, cells, paper):
    if "cannot" in check:
        return CANNOT
    found = fitting(cells, check["cell"])
    rising, falling = check.get("rising"), check.get("falling")
    if not found or (rising or falling) and len(found) < 2:
        return NOT_HERE
    if rising or falling:
        steps = zip(found, found[1:])
        return together([over(cells, *((b, a) if rising else (a, b))) for (a, _), (b, _) in steps])
    return together([on_one(check, cell, star, cells, paper) for cell, star in found])


def read(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def cell_of(line):
    interval = (float(line["low"]), float(line["high"])) if line["low"] else None
    return Cell(line["row"], line["column"], float(line["value"]), interval, int(line["n"]), line["unit"])


def close(one, other):
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def experiment(folder):
    """Everything in an experiment that is otherwise than stored."""
    definition = tomllib.loads((folder / "experiment.toml").read_text(encoding="utf-8"))
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    stored = [cell_of(line) for line in read(folder / "result.csv")]
    figures = {}
    if (folder / "paper.csv").exists():
        figures = {(line["row"], line["column"]): float(line["value"]) for line in read(folder / "paper.csv")}
    wrong = []
    cells = stored[: record["measured"]]
    for wanted in definition.get("summary", []):
        found = summary(wanted, cells)
        if found is None:
            continue
        known = stored[len(cells)] if len(cells) < len(stored) else None
        named = f'"{wanted["column"]}" of "{wanted["row"]}"'
        if known is None or (known.row, known.column) != (wanted["row"], wanted["column"]):
            wrong.append(f"{named} is missing")
            break
        ends = zip(found[1] or (), known.interval or ())
        same = bool(found[1]) == bool(known.interval) and all(close(*end) for end in ends)
        if not (close(found[0], known.value) and same):
            wrong.append(f"{named} is {found}, not {known.value, known.interval}")
        cells.append(known)
    checks = definition.get("check", [])
    if len(checks) != len(record["checks"]):
        wrong.append(f"{len(checks)} claims, not {len(record['checks'])}")
    for check, known in zip(checks, record["checks"]):
        found = verdict(check, cells, figures)
        if (check["claim"], found) != (known["claim"], known["verdict"]):
            wrong.append(f"'{check['claim']}' {found}, not '{known['claim']}' {known['verdict']}")
    return wrong, len(checks)


def main():
    folders = sorted(path.parent for path in Path(sys.argv[1]).glob("*/*/run.json"))
    count, failed = 0, False
    for folder in folders:
        wrong, checks = experiment(folder)
        count += checks
        for line in wrong:
            failed = True
            print(f"{folder.parent.name}/{folder.name}: {line}")
    print(f"{count} claims of {len(folders)} experiments")
    sys.exit(failed or count == 0)


if __name__ == "__main__":
    main()
