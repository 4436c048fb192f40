"""Networks: their files, their arrays, and PyTorch's evaluation of the same positions."""

from __future__ import annotations

import copy
import json
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from repository import EXAMPLES, ROOT, example

import wurfel
from wurfel import Network

FIXTURES = ROOT / "crates" / "net" / "tests" / "fixtures"


def arrays_of(path: Path) -> dict[str, NDArray[np.float32]]:
    """The arrays of a safetensors file."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header: dict[str, Any] = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    places = {name: (slice(*of["data_offsets"]), of["shape"]) for name, of in header.items()}
    numbers = data[8 + length :]
    return {name: np.frombuffer(numbers[part], np.float32).reshape(shape) for name, (part, shape) in places.items()}


@pytest.mark.skipif(not FIXTURES.exists(), reason="the package is tested outside the repository")
@pytest.mark.parametrize("name", ["5", "5spatial", "8"])
def test_a_network_says_what_pytorch_has_said(name: str) -> None:
    told = arrays_of(FIXTURES / f"answers{name}.safetensors")
    network = Network.read(FIXTURES / f"net{name}.safetensors")
    logits, values = network.infer(told["planes"])
    assert logits.shape == told["logits"].shape and values.shape == told["answers"].shape
    np.testing.assert_allclose(logits, told["logits"], rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(values, told["answers"], rtol=1e-5, atol=1e-5)
    assert {key: array.shape for key, array in network.arrays().items()} == {
        key: array.shape for key, array in arrays_of(FIXTURES / f"net{name}.safetensors").items()
    }


def test_a_network_is_copied_and_pickled() -> None:
    own = Network.of_game("einstein")
    for same in (copy.deepcopy(own), pickle.loads(pickle.dumps(own)), Network.from_bytes(own.to_bytes())):
        assert same is not own and same.checksum == own.checksum
    with pytest.raises(ValueError, match="not a network of this program"):
        Network.from_bytes(b"nothing")


def test_a_network_survives_its_arrays_and_its_file(tmp_path: Path) -> None:
    own = Network.of_game("einstein")
    arrays: dict[str, NDArray[Any]] = {**own.arrays(), "tower.0.norm.num_batches_tracked": np.array(7)}
    same = Network(own.architecture, own.encoding, arrays)
    path = tmp_path / "net.safetensors"
    same.write(path)
    assert Network.read(path).checksum == same.checksum == own.checksum
    # Agents take the file, and play as with the network that was copied.
    turn = wurfel.Position("ABC2/DE3/F3f/3ed/2cba r 4")
    deciding = [wurfel.agent(f"alphazero:{net}simulations=60", seed=1) for net in ("", f"net={path},")]
    one, other = (agent.decide(turn) for agent in deciding)
    assert (one.move, one.value) == (other.move, other.value)
    # Another number is another network.
    arrays["value.out.bias"] = arrays["value.out.bias"] + np.float32(0.5)
    changed = Network(own.architecture, own.encoding, arrays)
    planes = wurfel.encode([turn], own.encoding)
    before, after = (np.arctanh(network.infer(planes)[1][0]) for network in (own, changed))
    assert changed.checksum != own.checksum and after - before == pytest.approx(0.5, abs=1e-4)


def test_a_large_batch_has_the_same_answers_on_any_number_of_threads() -> None:
    network = Network.of_game("einstein")
    env = wurfel.VectorEnv("einstein", 301, seed=1, encoding=network.encoding)
    alone = network.infer(env.observations, threads=1)
    for threads in (None, 2, 3, 16):
        for answer, expected in zip(network.infer(env.observations, threads), alone, strict=True):
            assert np.array_equal(answer, expected)
    with pytest.raises(ValueError, match="^threads=0: expected a number from 1 to 1024$"):
        network.infer(env.observations, threads=0)


def test_what_are_no_planes_is_refused_in_one_line() -> None:
    network = Network.of_game("einstein")
    planes = wurfel.encode([wurfel.game("einstein").start()] * 2, network.encoding)
    wrong: Any
    for wrong, told in [
        (planes.astype(np.float64), r"an array of float64 and shape \[2, \d+, 5, 5\]"),
        (planes[0], r"an array of float32 and shape \[\d+, 5, 5\]"),
        (planes.tolist(), "a list"),
        (None, "a NoneType"),
    ]:
        with pytest.raises(ValueError) as error:
            network.infer(wrong)
        expected = f"planes: expected a NumPy array of float32 with four dimensions, not {told}"
        assert re.fullmatch(expected, str(error.value))
    for number in (np.nan, np.inf, -np.inf):
        planes[1, 3, 2, 2] = number
        with pytest.raises(ValueError, match="^planes of position 1: expected finite numbers, found (NaN|-?inf)$"):
            network.infer(planes)


def test_a_network_has_the_shape_of_its_encoding() -> None:
    own = Network.of_game("einstein")
    with pytest.raises(ValueError, match=r"^not of the expected shape: board, planes and moves are \[5, .* of dicechess-v1 \[8, "):
        Network(own.architecture, "dicechess-v1", {**own.arrays()})


def test_what_is_no_network_is_refused_in_one_line(tmp_path: Path) -> None:
    own = Network.of_game("einstein")
    arrays: dict[str, NDArray[Any]] = {**own.arrays()}
    bias = arrays.pop("value.out.bias")
    with pytest.raises(ValueError, match="^no such network: value.out.bias: no such array$"):
        Network(own.architecture, own.encoding, arrays)
    with pytest.raises(ValueError, match=r"^no such network: value.out.bias: \[1, 1\], not \[1\]$"):
        Network(own.architecture, own.encoding, {**arrays, "value.out.bias": bias.reshape(1, 1)})
    with pytest.raises(ValueError, match="^value.out.bias: expected a NumPy array of float32$"):
        Network(own.architecture, own.encoding, {**arrays, "value.out.bias": bias.astype(np.float64)})
    with pytest.raises(ValueError, match="^architecture: missing field `board`$"):
        Network({"filters": 3}, own.encoding, arrays)
    with pytest.raises(ValueError, match=r"^planes of shape \[1, 2, 5, 5\]: expected \[positions, \d+, 5, 5\]$"):
        own.infer(np.zeros((1, 2, 5, 5), np.float32))
    path = tmp_path / "net.safetensors"
    with pytest.raises(FileNotFoundError, match="net.safetensors': "):
        Network.read(path)
    own.write(path)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(ValueError, match="^the network file is damaged: its checksum does not agree"):
        Network.read(path)


@pytest.mark.skipif(not EXAMPLES.exists(), reason="the package is tested outside the repository")
@pytest.mark.parametrize("game", ["einstein", "dicechess"])
def test_networks_and_pytorch_agree_both_ways(game: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    there = example("torch_network")
    own = Network.of_game(game)
    planes = there.random_positions(game, own.encoding, 256)
    module = there.to_torch(own)
    assert there.largest_difference(own, module, planes) < 1e-5
    assert there.from_torch(module).checksum == own.checksum
    # A module that has learned something, the statistics of its norms among it.
    small = {**own.architecture, "filters": 24, "convolutions": 2, "blocks": 1}
    torch.manual_seed(1)
    learned = there.PolicyValueNetwork(small, own.encoding).train()
    learned(torch.from_numpy(planes))
    made = there.from_torch(learned.eval())
    assert there.largest_difference(made, learned, planes) < 1e-5
    made.write(tmp_path / "net.safetensors")
    read = Network.read(tmp_path / "net.safetensors")
    assert there.largest_difference(read, there.to_torch(read), planes) < 1e-5
