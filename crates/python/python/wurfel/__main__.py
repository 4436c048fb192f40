"""Lists what the package offers: ``python -m wurfel``."""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util

import wurfel
from wurfel._console import run as run_program

ENVIRONMENTS = ("gymnasium", "pettingzoo")


def main() -> None:
    """Prints the version, the games, the agents and the environments."""
    parser = argparse.ArgumentParser(prog="python -m wurfel", description="Says what this package has.")
    parser.add_argument("--version", action="version", version=f"wurfel {wurfel.__version__}")
    parser.parse_args()
    print(f"wurfel {wurfel.__version__}")
    print("\ngames")
    for game in wurfel.games():
        encodings = ", ".join(encoding.name for encoding in game.encodings)
        print(f"  {game.name:<20} {game.about}")
        print(f"  {'':<20} environment {game.name}-v1, encodings {encodings}")
    print("\nagents")
    for name, about in wurfel.agents():
        print(f"  {name:<20} {about}")
    print("\nenvironments")
    for name in ENVIRONMENTS:
        found = importlib.util.find_spec(name) is not None
        state = importlib.metadata.version(name) if found else f"not installed: pip install 'wurfel[{name}]'"
        print(f"  {name:<20} {state}")


if __name__ == "__main__":
    run_program(main)
