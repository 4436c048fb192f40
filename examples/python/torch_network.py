"""Our networks in PyTorch, both ways: a module with the parameters of a network, and a network with those of a module.

    python examples/python/torch_network.py --game einstein --positions 1000

shows the largest difference between the outputs of both on random positions. Needs PyTorch.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

import wurfel


class Layer(nn.Module):
    """A convolution with batch norm and ReLU."""

    def __init__(self, inputs: int, outputs: int, window: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, window, padding=window // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, planes: Tensor, skip: Tensor | None = None) -> Tensor:
        """Channels of the same board; ``skip`` is added before ReLU."""
        channels: Tensor = self.norm(self.conv(planes))
        return functional.relu(channels if skip is None else channels + skip)


class PolicyHead(Layer):
    """A 1 × 1 convolution and a layer with the logits, which a spatial policy applies to each cell by itself."""

    def __init__(self, filters: int, channels: int, inputs: int, outputs: int) -> None:
        super().__init__(filters, channels, 1)
        self.moves = nn.Linear(inputs, outputs)


class ValueHead(Layer):
    """A 1 × 1 convolution, a hidden layer with ReLU, and one number."""

    def __init__(self, filters: int, channels: int, cells: int, hidden: int) -> None:
        super().__init__(filters, channels, 1)
        self.hidden = nn.Linear(channels * cells, hidden)
        self.out = nn.Linear(hidden, 1)


class PolicyValueNetwork(nn.Module):
    """The network of an architecture. Its parameters have the names and shapes that network files give them."""

    def __init__(self, architecture: Mapping[str, int], encoding: str) -> None:
        """``architecture`` as ``wurfel.Network.architecture`` has it; what it leaves out is that of the paper."""
        super().__init__()
        usual = {"blocks": 0, "policy_channels": 4, "value_channels": 2, "value_hidden": 64, "spatial_policy": False}
        self.architecture, self.encoding = {**usual, **architecture}, encoding
        of = self.architecture
        cells, filters = of["board"] ** 2, of["filters"]
        self.plain, self.spatial = of["convolutions"], bool(of["spatial_policy"])
        layers = [Layer(of["planes"], filters, 3)]
        layers += [Layer(filters, filters, 3) for _ in range(self.plain - 1 + 2 * of["blocks"])]
        self.tower = nn.ModuleList(layers)
        apart = cells if self.spatial else 1
        channels = of["policy_channels"]
        self.policy = PolicyHead(filters, channels, channels * cells // apart, of["moves"] // apart)
        self.value = ValueHead(filters, of["value_channels"], cells, of["value_hidden"])

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of shape (positions, moves) and values of shape (positions,) for the side to move, -1 to 1."""
        channels = planes
        for layer in self.tower[: self.plain]:
            channels = layer(channels)
        for first, second in zip(self.tower[self.plain :: 2], self.tower[self.plain + 1 :: 2], strict=True):
            channels = second(first(channels), skip=channels)
        policy = self.policy(channels)
        if self.spatial:
            logits = self.policy.moves(policy.movedim(1, 3)).movedim(3, 1).flatten(1)
        else:
            logits = self.policy.moves(policy.flatten(1))
        hidden = functional.relu(self.value.hidden(self.value(channels).flatten(1)))
        return logits, torch.tanh(self.value.out(hidden)).flatten()


def to_torch(network: wurfel.Network) -> PolicyValueNetwork:
    """The module with the parameters of a network, ready for inference."""
    module = PolicyValueNetwork(network.architecture, network.encoding)
    arrays = {name: torch.from_numpy(array) for name, array in network.arrays().items()}
    missing = module.load_state_dict(arrays, strict=False)
    # PyTorch counts batches beside the parameters, and nothing depends on it.
    assert not missing.unexpected_keys and all("num_batches" in name for name in missing.missing_keys)
    module.eval()
    return module


def from_torch(module: PolicyValueNetwork) -> wurfel.Network:
    """The network with the parameters of a module; its ``write`` makes a file that agents take."""
    arrays = {name: tensor.detach().cpu().numpy() for name, tensor in module.state_dict().items()}
    return wurfel.Network(module.architecture, module.encoding, arrays)


def random_positions(game: str, encoding: str, count: int, seed: int = 1) -> NDArray[np.float32]:
    """Encoded positions from random games, at least ``count`` of them: shape (positions, planes, rows, columns)."""
    env = wurfel.VectorEnv(game, 64, seed=seed, encoding=encoding)
    seen: list[NDArray[np.float32]] = []
    while 64 * len(seen) < count:
        # Some moves lie between two of them.
        for _ in range(5):
            env.step(env.sample())
        seen.append(env.observations.copy())
    return np.concatenate(seen)


def largest_difference(network: wurfel.Network, module: PolicyValueNetwork, planes: NDArray[np.float32]) -> float:
    """The largest difference between both, of the probabilities of all moves and of the values."""
    logits, values = (torch.from_numpy(numbers) for numbers in network.infer(planes))
    with torch.no_grad():
        there_logits, there_values = module(torch.from_numpy(planes))
    policy, there_policy = torch.softmax(logits, dim=1), torch.softmax(there_logits, dim=1)
    return max(float((policy - there_policy).abs().max()), float((values - there_values).abs().max()))


def main() -> None:
    """Compares a network with its module, and the module with the network that is made of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="einstein", help="the game (default: einstein)")
    parser.add_argument("--net", help="a network file (default: the game's own network)")
    parser.add_argument("--positions", type=int, default=1000, help="how many random positions (default: 1000)")
    given = parser.parse_args()
    network = wurfel.Network.read(given.net) if given.net else wurfel.Network.of_game(given.game)
    module = to_torch(network)
    planes = random_positions(given.game, network.encoding, given.positions)
    print(f"{network!r} and its module: {largest_difference(network, module, planes):.1e}")
    back = from_torch(module)
    print(f"and the network made of the module: {largest_difference(back, module, planes):.1e}")


if __name__ == "__main__":
    main()
