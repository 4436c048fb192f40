#!/usr/bin/env python3
"""How time and memory grow with the number of games: `growth.py WURFEL GAMES...` writes a table in Markdown.

Each command runs on one thread and reads the games that the first one has written. The time is that of the CPU, in
microseconds a game, so that other programs do not change it; the memory is the peak of the process.
"""
import os
import sys
import tempfile


def run(arguments, folder):
    """The CPU time of a command in seconds, and its peak memory in kilobytes."""
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        os.execv(arguments[0], arguments)
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit(f"{' '.join(arguments)}: status {status}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def commands(games):
    """What is run, each with the words after the name of the program."""
    pairs = str(games // 2)
    yield "match --out", ["match", "greedy", "random", "--pairs", pairs, "--jobs", "1", "--out", "games.jsonl"]
    for form in ["jsonl", "moves", "wtn"]:
        yield f"convert --to {form}", ["convert", "games.jsonl", "--to", form, "--out", f"to-{form}"]
    yield "ratings", ["ratings", "games.jsonl"]
    review = ["review", "games.jsonl", "--totals", "--jobs", "1"]
    yield "review --totals --depth 1", [*review, "--depth", "1"]
    quick = ["--agent", "expecti:depth=1", "--no-exact"]
    yield f"review --totals {' '.join(quick)}", [*review, *quick]


def main(program, counts):
    rows = {}
    for games in counts:
        with tempfile.TemporaryDirectory() as folder:
            for name, words in commands(games):
                rows.setdefault(name, []).append(run([program, *words], folder))
    titles = [f"{games:,} games" for games in counts]
    print("| command | " + " | ".join(f"{title}: µs a game, MB" for title in titles) + " |")
    print("|---|" + "---:|" * len(counts))
    for name, found in rows.items():
        cells = (f"{1e6 * time / games:,.1f}, {memory / 1024:,.0f}" for games, (time, memory) in zip(counts, found))
        print(f"| `{name}` | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), [int(word) for word in sys.argv[2:]])
