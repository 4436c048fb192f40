"""Work in units, on one machine and on a cluster of Ray."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import wurfel

JOB = """
kind = "match"
agents = ["expecti:depth=1", "greedy"]
pairs = 600
units = 40
"""

TRAINING = """
kind = "training"
units = 3
[config]
game = "einstein"
encoding = "ewn-v2"
seed = 1
rounds = 2
[config.network]
filters = 16
convolutions = 2
policy_channels = 4
value_channels = 2
value_hidden = 32
[config.self_play]
games = 10
parallel_games = 4
simulations = 8
c = 0.75
fpu = 0.15
noise_alpha = 1.0
noise_share = 0.25
temperature = 1.0
temperature_turns = 12
outcome_share = 0.5
[config.learning]
buffer = 1000
batch = 64
accumulate = 1
steps = 4
learning_rate = 4e-3
decay = 0.9
period = 250.0
clip = 1.0
l2 = 1e-5
augment = true
"""

EXAMPLES = Path(__file__).parents[3] / "examples" / "clusters"


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a result, without those of a training that contain times."""
    result = folder / "result"
    files = {str(file.relative_to(result)): file.read_bytes() for file in result.rglob("*") if file.is_file()}
    kept = (".safetensors", "config.toml")
    return {name: there for name, there in files.items() if "run/" not in name or "games-" in name or name.endswith(kept)}


def done_here(job: str, folder: Path) -> dict[str, bytes]:
    """The result of a job whose units are done one after the other."""
    plan = wurfel.plan(job, folder)
    for unit in plan.missing():
        plan.run(unit, 1)
    plan.merge()
    return contents(folder)


def test_units_in_any_order_and_twice_give_the_games_of_a_match(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    result = wurfel.match("expecti:depth=1", "greedy", pairs=600, seed=1, out=out)
    plan = wurfel.plan(JOB, tmp_path / "plan")
    assert (plan.units, plan.stages, plan.ready()) == (40, [40], list(range(40)))
    units = [*reversed(plan.missing()), 3, 17]
    done = [plan.run(unit, 2) for unit in units]
    assert done[-1].checksum == next(of for of in done if of.unit == 17).checksum
    merged = plan.merge()
    assert merged.summary[0].startswith("expecti:depth=1 against greedy: 1200 games")
    files = contents(tmp_path / "plan")
    assert files["games.jsonl"] == out.read_bytes()
    told = json.loads(files["result.json"])
    assert (told["win_rate"], told["games"]) == (result.win_rate, result.games)
    again = wurfel.open_plan(tmp_path / "plan")
    assert (again.missing(), again.merge().summary) == ([], merged.summary)
    assert contents(tmp_path / "plan") == files


def test_what_cannot_be_done_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected units from 1 to 3, not 4"):
        wurfel.plan("kind='match'\nagents=['greedy','random']\npairs=3\nunits=4", tmp_path / "a")
    with pytest.raises(ValueError, match="unknown agent 'greddy'"):
        wurfel.plan("kind='match'\nagents=['greddy','random']\npairs=3\nunits=1", tmp_path / "a")
    plan = wurfel.plan("kind='tables'\npieces=3", tmp_path / "b")
    with pytest.raises(RuntimeError, match="units are missing, the first of them 0"):
        plan.run(plan.stages[0])
    with pytest.raises(RuntimeError, match="units are missing, the first of them 0"):
        plan.merge()
    with pytest.raises(ValueError, match="expected one from 0 to"):
        plan.run(plan.units)
    with pytest.raises(ValueError, match="is another plan"):
        wurfel.plan("kind='tables'\npieces=4", tmp_path / "b")


def test_a_result_survives_the_loss_of_nodes(tmp_path: Path) -> None:
    """`WURFEL_RAY_PAIRS` and `WURFEL_RAY_KILLS` make it as long as one likes."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    from wurfel.ray import run

    pairs, kills = (int(os.environ.get(name, usual)) for name, usual in (("WURFEL_RAY_PAIRS", 600), ("WURFEL_RAY_KILLS", 2)))
    jobs = {
        "match": JOB.replace("600", str(pairs)),
        "tournament": "kind='tournament'\nagents=['greedy','random','expecti:depth=1']\npairs=100\nunits=5",
        "tables": "kind='tables'\npieces=3",
        "training": TRAINING,
    }
    expected = {name: done_here(job, tmp_path / "here" / name) for name, job in jobs.items()}
    cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
    ray.init(address=cluster.address, log_to_driver=False)
    try:
        for name, job in jobs.items():
            folder = tmp_path / "cluster" / name
            units = wurfel.plan(job, folder).units
            lost = sorted({units * (kill + 1) // (kills + 1) for kill in range(kills)} - {0}) if name != "tables" else []

            def told(done: int, _: int, lost: list[int] = lost) -> None:
                # Units are running on the node while it is lost.
                if lost and done >= lost[0]:
                    lost.pop(0)
                    cluster.remove_node(nodes.pop(0), allow_graceful=False)
                    nodes.append(cluster.add_node(num_cpus=1))

            run(folder, progress=told)
            assert lost == []
            wurfel.open_plan(folder).merge()
            assert contents(folder) == expected[name], name
    finally:
        ray.shutdown()
        cluster.shutdown()


def test_a_unit_that_fails_by_itself_ends_the_run(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    from wurfel.ray import run

    wurfel.plan("kind='tables'\npieces=2", tmp_path)
    # A plan that another version has made: every unit refuses.
    file = tmp_path / "plan.json"
    file.write_text(file.read_text().replace("einstein star2", "einstein other"))
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        with pytest.raises(Exception, match="same version of wurfel"):
            run(tmp_path, attempts=2)
    finally:
        ray.shutdown()


@pytest.mark.skipif(not EXAMPLES.exists(), reason="the package is tested outside the repository")
def test_the_job_for_kubernetes_is_one() -> None:
    kubernetes = pytest.importorskip("kubernetes_validate")
    yaml = pytest.importorskip("yaml")
    job = yaml.safe_load((EXAMPLES / "kubernetes.yaml").read_text())
    kubernetes.validate(job, "1.31", strict=True)
    assert job["spec"]["completionMode"] == "Indexed"
    del job["spec"]["template"]["spec"]["containers"][0]["image"]
    job["spec"]["completions"] = "many"
    with pytest.raises(kubernetes.ValidationError):
        kubernetes.validate(job, "1.31", strict=True)


@pytest.mark.skipif(sys.platform != "linux", reason="signals as on Linux")
def test_an_interrupt_gives_a_unit_up(tmp_path: Path) -> None:
    wurfel.plan("kind='match'\nagents=['expecti:depth=6','expecti:depth=6']\npairs=4000\nunits=1", tmp_path)
    code = f"import wurfel; p = wurfel.open_plan({str(tmp_path)!r}); print('begun', flush=True); p.run(0, 1)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as unit:
        assert unit.stdout is not None and unit.stdout.readline() == "begun\n"
        unit.send_signal(signal.SIGINT)
        _, said = unit.communicate()
    assert said.strip().endswith("KeyboardInterrupt")
    assert wurfel.open_plan(tmp_path).missing() == [0]
