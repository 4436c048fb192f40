"""Does the units of a plan on a Ray cluster: ``python -m wurfel.ray FOLDER --address auto``.

Each unit is a Ray task. The folder must be on storage that all nodes share; the output of units goes there, and only
their progress goes through Ray. A unit whose node is lost is done again, however often that happens; one that fails
by itself is tried a few times. The tasks have the names of their units, so that Ray's dashboard shows how far the work is.

Needs ``ray``: ``pip install 'wurfel[ray]'``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ray
from ray.exceptions import RayTaskError

import wurfel
from wurfel._console import run as run_program

Told = Callable[[int, int], None]


def do_unit(folder: str, unit: int, threads: int) -> tuple[int, float]:
    """Does a unit and returns its number and its seconds. It runs on any node of the cluster."""
    done = wurfel.open_plan(folder).run(unit, threads)
    return done.unit, done.seconds


def run(
    folder: str | Path,
    *,
    threads: int = 1,
    in_flight: int | None = None,
    attempts: int = 3,
    progress: Told | None = None,
) -> None:
    """Does all missing units of a plan on the cluster to which ``ray.init`` has connected.

    ``threads`` is the number of CPUs of a unit, ``in_flight`` how many units are given to Ray at the same time (by
    default twice what the cluster has room for), ``attempts`` how often a unit that fails by itself is tried.
    ``progress(done, units)`` is called after each unit. Raises the error of a unit that has failed for good.
    """
    path = str(Path(folder).resolve())
    plan = wurfel.open_plan(path)
    failures: dict[int, int] = {}
    done = plan.units - len(plan.missing())
    while waiting := plan.ready():
        running: dict[Any, int] = {}
        while waiting or running:
            room = in_flight or max(2, 2 * int(ray.cluster_resources().get("CPU", 1)) // threads)
            while waiting and len(running) < room:
                unit = waiting.pop(0)
                running[submit(plan, path, unit, threads)] = unit
            ended = first_of(list(running))
            unit = running.pop(ended)
            try:
                ray.get(ended)
            except RayTaskError as error:
                failures[unit] = failures.get(unit, 0) + 1
                if failures[unit] >= attempts:
                    for task in running:
                        ray.cancel(task, force=True)
                    raise error.as_instanceof_cause() from None
                waiting.append(unit)
                continue
            done += 1
            if progress is not None:
                progress(done, plan.units)


def first_of(tasks: list[Any]) -> Any:
    """The first of some tasks that ends."""
    wait: Any = getattr(ray, "wait")  # noqa: B009 (its own types are partly unknown)
    return wait(tasks, num_returns=1)[0][0]


def submit(plan: wurfel.Plan, path: str, unit: int, threads: int) -> Any:
    """Submits a unit to Ray, with the memory that it needs."""
    options: dict[str, Any] = {"num_cpus": threads, "max_retries": -1, "name": f"unit {unit}"}
    memory = plan.memory(unit, threads)
    if memory is not None:
        options["memory"] = memory
    return ray.remote(do_unit).options(**options).remote(path, unit, threads)


def main() -> None:
    """Does the units of a plan, merges them, and prints what the result says."""
    parser = argparse.ArgumentParser(prog="python -m wurfel.ray", description="Does the units of a plan on a Ray cluster.")
    parser.add_argument("folder", help="the folder of the plan, on storage that all nodes share")
    parser.add_argument("--address", help="the cluster, such as 'auto' (default: starts a local one)")
    parser.add_argument("--threads", type=int, default=1, help="CPUs of a unit (default: 1)")
    parser.add_argument("--in-flight", type=int, help="units that are given to Ray at the same time")
    parser.add_argument("--attempts", type=int, default=3, help="how often a unit that fails is tried (default: 3)")
    given = parser.parse_args()
    for name in ("threads", "in_flight", "attempts"):
        value: int | None = getattr(given, name)
        if value is not None and value < 1:
            parser.error(f"--{name.replace('_', '-')} {value}: expected at least 1")
    ray.init(address=given.address, log_to_driver=False)

    def told(done: int, units: int) -> None:
        print(f"\r{done} of {units} units", end="", file=sys.stderr, flush=True)

    run(given.folder, threads=given.threads, in_flight=given.in_flight, attempts=given.attempts, progress=told)
    print(file=sys.stderr)
    merged = wurfel.open_plan(given.folder).merge(given.threads)
    for line in merged.summary:
        print(line)
    for file in merged.files:
        print(f"written to {file}")


if __name__ == "__main__":
    run_program(main)
