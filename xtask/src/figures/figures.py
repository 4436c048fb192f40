#!/usr/bin/env python3
"""Measures every speed that the documents quote, and writes the table of this machine into docs/methods/speed.md.

`cargo xtask figures` runs it. All figures of a table come from one machine and, unless the table says otherwise, from
one run, because figures from different days cannot be compared. The fastest run and sample count, since other work of
a machine only adds time. Nothing is written before everything has been measured, so that it can be stopped at any time.
"""
import argparse, datetime, json, os, re, shlex, shutil, subprocess, sys, tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PAGE = ROOT / "docs/methods/speed.md"
BEGIN = "<!-- Figures: `cargo xtask figures` writes what stands from here -->"
END = "<!-- Figures: to here -->"
COLUMNS = "| work | peer | here before | here after | ratio | limit |\n|---|---|---:|---:|---|---|"
TIMES = {"ps": 1e-12, "ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0}
COUNTS = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}


def positive(text):
    number = float(text)
    if not 0 < number < float("inf"):
        raise ValueError(f"expected a number above 0, not '{text}'")
    return number


# Every figure is a rate, per second. A time is the rate of its work.


def divan(output):
    """The time cell and the items cell of each benchmark, by the names on the path to it."""
    found, way = {}, []
    for line in output.partition("fastest ")[2].splitlines()[1:]:
        cells, branch = line, re.search("[├╰]", line)
        if branch:
            cell = line[branch.end() :].lstrip("─ ").split("│")[0].rstrip()
            name, _, time = cell.rpartition("  ")
            way = way[: branch.start() // 3] + [(name or cell).strip()]
            if name:
                found["/".join(way)] = [time]
        elif found:
            found[list(found)[-1]].append(cells.lstrip("│ ").split("│")[0].rstrip())
    return found


def read(place, output):
    """The rate at a place of an output; none where a peer says that it is not installed."""
    kind, *words = place.split(" ")
    if kind in ("items", "time"):
        cells = divan(output).get(" ".join(words), [])
        text = cells[kind == "items"] if len(cells) > (kind == "items") else ""
        number, _, unit = text.partition(" ")
        if kind == "time" and unit in TIMES:
            return 1 / (positive(number) * TIMES[unit])
        if kind == "items" and unit.endswith("item/s") and unit[:-6] in COUNTS:
            return positive(number) * COUNTS[unit[:-6]]
    elif kind == "line":
        for line in output.splitlines():
            if line.startswith(words[0] + " "):
                return positive(line.split(" ")[1])
    elif kind == "compared":
        for line in output.splitlines():
            rest = iter(word.rstrip(",:") for word in line.split())
            if next(rest, None) == words[0] and all(word in rest for word in words[1:]):
                number = next(rest)
                return None if number == "NaN" else positive(number)
    else:
        for line in (json.loads(line) for line in output.splitlines() if line.startswith("{")):
            if kind == "evaluation":
                for one in line["evaluations"]:
                    if one["evaluation"] == words[0]:
                        return 1 / (positive(one["fastest"]) * 1e-9)
                continue
            having = [word.split("=", 1) for word in words if "=" in word]
            if any(line.get(key) != value for key, value in having):
                continue
            fields = [word for word in words if "=" not in word]
            if fields == ["agents.mean_seconds"]:
                return 1 / positive(line["agents"][0]["mean_seconds"])
            if fields == ["seconds"]:
                return 1 / positive(line["seconds"])
            return positive(line[fields[0]]) / (positive(line[fields[1]]) if fields[1:] else 1)
    raise ValueError(f"no figure at '{place}' in the output")


def one(unit):
    """The rate of one unit, and whether the unit is a time."""
    if unit in TIMES:
        return 1 / TIMES[unit], True
    factor = unit.split(" ")[0] if " " in unit or unit == "M/s" else ""
    return COUNTS["M" if unit == "M/s" else factor], False


def show(rate, unit, otherwise):
    """A rate in a unit, with three significant digits."""
    if rate is None:
        return otherwise
    size, is_time = one(unit)
    number = size / rate if is_time else rate / size
    if number >= 1000:
        return f"{int(number / 10 + 0.5) * 10:,} {unit}"
    exponent = int(f"{number:e}".split("e")[1])
    return f"{number:.{min(max(2 - exponent, 0), 6)}f} {unit}"


def shown(text, unit):
    """The rate that `show` wrote in this unit; none for other texts."""
    size, is_time = one(unit)
    found = re.fullmatch(r"([\d.,]+) " + re.escape(unit), text)
    if not found:
        return None
    number = float(found[1].replace(",", ""))
    return size / number if is_time else number * size


def times(ratio, what):
    return f"{ratio:.{0 if ratio >= 100 else 1 if ratio >= 10 else 2}f} × {what}"


def build(lines):
    """The programs of the lines by option and name, built by one command: one by one, some would be compiled twice."""
    options = set()
    for line in lines:
        words = line.split(" -- ")[0].split(" ")
        if words[0] == "cargo":
            options |= {tuple(pair) for pair in zip(words, words[1:]) if pair[0] in ("-p", "--bench", "--example")}
        elif "wurfel " in line:
            options |= {("-p", "wurfel-cli"), ("--bin", "wurfel")}
    command = ["cargo", "build", "--locked", "--profile", "bench", "--message-format", "json-render-diagnostics"]
    command += [word for pair in sorted(options) for word in pair]
    # Optimisation across crates excludes incremental compilation.
    environment = os.environ | {"CARGO_INCREMENTAL": "0"}
    output = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True, text=True).stdout
    programs = {}
    for message in map(json.loads, output.splitlines()):
        if message.get("executable"):
            programs[f"--{message['target']['kind'][0]} {message['target']['name']}"] = message["executable"]
    return programs


def outputs(line, programs, python):
    """The output of each run of a line; none of a peer that fails, which is reported."""
    words = [python if word == "PYTHON" else word for word in shlex.split(line)]
    if words[0] == "cargo":
        target = re.search("--(bench|example) [^ ]+", line)[0]
        behind = words[words.index("--") + 1 :] if "--" in words else []
        words = [programs[target], *behind, *(["--bench"] if target.startswith("--bench") else [])]
    path = os.environ["PATH"]
    if "--bin wurfel" in programs:
        path = f"{Path(programs['--bin wurfel']).parent}{os.pathsep}{path}"
    repeats = 3 if "wurfel " in line and not line.startswith("cargo ") else 1
    found = []
    for _ in range(repeats):
        # Matches refuse or continue the files of an earlier run, so these are removed.
        shutil.rmtree(ROOT / "target/figures", ignore_errors=True)
        (ROOT / "target/figures").mkdir(parents=True)
        words[0] = shutil.which(words[0], path=path) or words[0]
        try:
            run = subprocess.run(words, cwd=ROOT, env=os.environ | {"PATH": path}, stdin=subprocess.DEVNULL,
                                 capture_output=True, check=True, text=True)
        except (OSError, subprocess.CalledProcessError) as error:
            last = ((getattr(error, "stderr", None) or str(error)).strip().splitlines() or ["no word"])[-1]
            if line.startswith(("cargo ", "wurfel ")):
                sys.exit(f"error: `{line}`: {last}")
            print(f"  not at hand: {last}", file=sys.stderr)
            return []
        found.append(run.stdout)
    return found


def cpu():
    """The fields of the first CPU. Virtual machines give one name to several generations, hence the numbers."""
    lines = Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines()
    fields = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    flags = fields.get("flags", "").split(" ")
    widest = next((name for flag, name in (("avx512f", ", AVX-512"), ("avx2", ", AVX2")) if flag in flags), "")
    name = fields.get("model name", os.uname().machine)
    if "cpu family" in fields and "model" in fields:
        name += f" (family {fields['cpu family']}, model {fields['model']})"
    return f"{name}, {len(os.sched_getaffinity(0))} CPUs{widest}", flags


def output_of(*command):
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else "unknown"


def parse(text):
    """The tables of the page: the machine, the lines on when it was measured, and the cells of each row by its name."""
    tables = []
    for line in text.splitlines():
        if line.startswith("* Machine: "):
            tables.append((line.removeprefix("* Machine: "), [], {}))
        elif line.startswith("* "):
            tables[-1][1].append(line)
        elif line.startswith("| `"):
            name, cells = re.fullmatch(r"\| `([^`]+)` (.*) \|", line).groups()
            tables[-1][2][name] = cells.split(" | ")
            if len(tables[-1][2][name]) != 6:
                sys.exit(f"error: {PAGE}: expected six columns, not '{line}'")
    return tables


def write(tables, measures):
    """The text of the tables, with their rows in the order of the measures."""
    text = ""
    for machine, measured, rows in tables:
        text += "\n\n" + "\n".join([f"* Machine: {machine}", *measured]) + f"\n\n{COLUMNS}"
        for measure in measures:
            if measure["name"] in rows:
                cells = [measure["work"], *rows[measure["name"]][1:5], measure["limit"]]
                text += f"\n| `{measure['name']}` {' | '.join(cells)} |"
        missing = [f"`{measure['name']}`" for measure in measures if measure["name"] not in rows]
        if missing:
            text += "\n\n"
            text += wrapped(f"Not measured on this machine: {', '.join(missing)}.")
    return text + "\n\n"


def wrapped(text):
    lines = [""]
    for word in text.split(" "):
        if len(lines[-1]) + len(word) >= 119:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".lstrip()
    return "\n".join(lines)


def row(measure, found, before, possible):
    """The cells of a measure, compared with its row of the earlier table."""
    unit = measure["unit"]

    def fastest(command, place):
        return max((rate for rate in (read(place, output) for output in found.get(command, [])) if rate), default=None)

    here = fastest(*measure["figure"])
    peer, ratios = "–", []
    if "peer" in measure:
        theirs = fastest(*measure["peer"][1:])
        peer = f"{measure['peer'][0]}: {show(theirs, unit, 'not at hand')}"
        ratios += [times(here / theirs, "the peer")] if here and theirs else []
    earlier = shown(before[3], unit) if before else None
    ratios += [times(here / earlier, "before")] if here and earlier else []
    after = show(here, unit, "not at hand" if possible else "not on this CPU")
    return [measure["work"], peer, show(earlier, unit, "–"), after, ", ".join(ratios) or "–", measure["limit"]]


def main():
    defined = tomllib.loads((HERE / "measures.toml").read_text())
    commands, measures = defined["commands"], defined["measure"]
    parser = argparse.ArgumentParser(prog="cargo xtask figures", description=__doc__.partition("\n")[0])
    parser.add_argument("--list", action="store_true", help="every measure with its command")
    parser.add_argument("--python", default="python3", help="the Python that may have the peers installed")
    parser.add_argument("names", nargs="*", help="the measures to take; all by default")
    options = parser.parse_args()
    for name in options.names:
        if name not in {measure["name"] for measure in measures}:
            parser.error(f"unknown measure '{name}': `cargo xtask figures --list` has them all")
    wanted = [measure for measure in measures if not options.names or measure["name"] in options.names]
    if options.list:
        for measure in wanted:
            print(f"{measure['name']}: {measure['work']}\n    {commands[measure['figure'][0]]}")
            if "peer" in measure:
                print(f"    beside {measure['peer'][0]}: {commands[measure['peer'][1]]}")
        return
    page = PAGE.read_text()
    head, middle, tail = re.fullmatch(f"(.*?{re.escape(BEGIN)})(.*)({re.escape(END)}.*)", page, re.S).groups()
    tables = parse(middle)
    machine, flags = cpu()
    old = next((table for table in tables if table[0] == machine), (machine, [], {}))
    if options.names and not old[1]:
        parser.error(f"there is no table of '{machine}': measure everything with `cargo xtask figures`")
    possible = [measure for measure in wanted if measure.get("needs") in (None, *flags)]
    used = dict.fromkeys(place[-2] for measure in possible for key in ("figure", "peer") if (place := measure.get(key)))
    programs = build([commands[name] for name in used])
    load = lambda: Path("/proc/loadavg").read_text().split(" ")[0]
    before, found = load(), {}
    for number, name in enumerate(used, 1):
        print(f"{number}/{len(used)} {commands[name]}", file=sys.stderr)
        found[name] = outputs(commands[name], programs, options.python)
    when = f"{datetime.date.today()}, load {before} before and {load()} after"
    if options.names:
        measured, rows = [*old[1], f"* Measured again: {when}: `{'`, `'.join(options.names)}`"], dict(old[2])
    else:
        commit, rust = output_of("git", "describe", "--always", "--dirty=+", "--exclude=*"), output_of("rustc", "--version")
        rust = rust.split(" ")[1] if " " in rust else rust
        measured = [f"* Measured: {when}, commit {commit}, Rust {rust}, by `cargo xtask figures`"]
        rows = {}
    for measure in wanted:
        cells = rows[measure["name"]] = row(measure, found, old[2].get(measure["name"]), measure in possible)
        print(f"{measure['name']}: {cells[3]} ({cells[4]})")
    tables = [(machine, measured, rows), *(table for table in tables if table[0] != machine)]
    # Replaced as a whole, so that it is never half written.
    draft = PAGE.with_suffix(".md.tmp")
    draft.write_text(head + write(tables, measures) + tail)
    draft.replace(PAGE)


if __name__ == "__main__":
    main()
