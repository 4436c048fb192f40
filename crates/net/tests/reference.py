#!/usr/bin/env python3
"""The networks of wurfel-net in PyTorch: the reference of its tests.

    reference.py make DIRECTORY          writes the fixtures that the tests read
    reference.py compare MODEL ANSWERS   computes ANSWERS' planes with MODEL; fails if the
                                         logits or values in ANSWERS differ by over 1e-4
    reference.py speed MODEL             positions and training samples a second of CPU
                                         time on one thread

Needs torch and safetensors.
"""
import json
import os
import sys
import time

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn import functional as F


class Layer(nn.Module):
    def __init__(self, inputs, outputs, window):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, window, padding=window // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x, skip=None):
        x = self.norm(self.conv(x))
        return F.relu(x if skip is None else x + skip)


class Head(Layer):
    """A 1 × 1 convolution and fully connected layers of these names and sizes."""

    def __init__(self, inputs, channels, cells, **sizes):
        super().__init__(inputs, channels, 1)
        width = channels * cells
        for name, size in sizes.items():
            setattr(self, name, nn.Linear(width, size))
            width = size


class Net(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.plain, self.shape = a["convolutions"], (a["planes"], a["board"], a["board"])
        cells, filters = a["board"] ** 2, a["filters"]
        layers = [Layer(a["planes"], filters, 3)]
        layers += [Layer(filters, filters, 3) for _ in range(self.plain - 1 + 2 * a["blocks"])]
        self.tower = nn.ModuleList(layers)
        self.spatial = a.get("spatial_policy", False)
        apart = cells if self.spatial else 1
        self.policy = Head(filters, a["policy_channels"], cells // apart, moves=a["moves"] // apart)
        self.value = Head(filters, a["value_channels"], cells, hidden=a["value_hidden"], out=1)

    def forward(self, x):
        for layer in self.tower[: self.plain]:
            x = layer(x)
        for one, two in zip(self.tower[self.plain :: 2], self.tower[self.plain + 1 :: 2]):
            x = two(one(x), skip=x)
        policy = self.policy(x)
        if self.spatial:
            logits = self.policy.moves(policy.movedim(1, 3)).movedim(3, 1).flatten(1)
        else:
            logits = self.policy.moves(policy.flatten(1))
        hidden = F.relu(self.value.hidden(self.value(x).flatten(1)))
        return logits, torch.tanh(self.value.out(hidden)).flatten()


def loss(net, planes, legal, policy, values):
    """Cross-entropy over the legal moves, and squared error."""
    logits, answers = net(planes)
    logs = F.log_softmax(logits.masked_fill(legal == 0, -torch.inf), 1).masked_fill(legal == 0, 0)
    return -(policy * logs).sum(1).mean(), ((answers - values) ** 2).mean()


def state(net):
    return {k: v for k, v in net.state_dict().items() if not k.endswith("num_batches_tracked")}


def checksum(encoding, a, numbers):
    names = "board planes moves filters convolutions blocks policy_channels value_channels value_hidden"
    shape = [a[name] for name in names.split()] + [1] * a.get("spatial_policy", False)
    data = f"{encoding} {shape}\n".encode() + b"".join(t.numpy().tobytes() for t in numbers)
    code = 0xCBF29CE484222325
    for byte in data:
        code = (code ^ byte) * 0x100000001B3 % 2**64
    return f"{code:016x}"


def read(path):
    with safe_open(path, "pt") as file:
        card = json.loads(file.metadata()["wurfel"])
    net = Net(card["architecture"])
    missing = net.load_state_dict(load_file(path), strict=False).missing_keys
    assert all(name.endswith("num_batches_tracked") for name in missing), missing
    return net


def make(directory):
    for name, board, blocks, moves in (("5", 5, 1, 10), ("8", 8, 0, 10), ("5spatial", 5, 0, 50)):
        torch.manual_seed(board)
        a = dict(board=board, planes=4, moves=moves, filters=18, convolutions=1, blocks=blocks)
        a |= dict(policy_channels=3, value_channels=2, value_hidden=7)
        a |= dict(spatial_policy=True) if moves == 50 else {}
        net = Net(a)
        with torch.no_grad():
            for array, tensor in state(net).items():
                if array.endswith(("norm.weight", "running_var")):
                    tensor.uniform_(0.5, 1.5)
                elif array.endswith(("norm.bias", "running_mean")):
                    tensor.uniform_(-0.5, 0.5)
        card = dict(format=1, architecture=a, encoding="reference")
        card["checksum"] = checksum("reference", a, state(net).values())
        save_file(state(net), f"{directory}/net{name}.safetensors", {"wurfel": json.dumps(card)})
        count = 9
        planes = torch.randint(-1, 2, (count, 4, board, board)).float()
        legal = torch.rand(count, moves) < 0.5
        legal[:, 3] = True
        policy = torch.rand(count, moves) * legal
        policy /= policy.sum(1, keepdim=True)
        values = torch.rand(count) * 2 - 1
        net.eval()
        with torch.no_grad():
            logits, answers = net(planes)
        out = dict(planes=planes, legal=legal.float(), policy=policy, values=values)
        out |= dict(logits=logits, answers=answers)
        net.train()
        losses = loss(net, planes, legal, policy, values)
        out["losses"] = torch.stack(losses).detach()
        sum(losses).backward()
        out |= {f"gradient.{name}": p.grad for name, p in net.named_parameters()}
        out |= {f"after.{n}": t for n, t in state(net).items() if "running" in n}
        save_file(out, f"{directory}/answers{name}.safetensors")


def compare(model, answers):
    net, told = read(model).eval(), load_file(answers)
    with torch.no_grad():
        logits, values = net(told["planes"])
    far = max((logits - told["logits"]).abs().max(), (values - told["answers"]).abs().max())
    print(f"largest difference {far:.2e}")
    sys.exit(0 if far <= 1e-4 else 1)


def rate(work, count, seconds=3):
    work()
    start, done = time.process_time(), 0
    while time.process_time() - start < seconds:
        work()
        done += count
    return done / (time.process_time() - start)


def speed(model):
    os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    torch.set_num_threads(1)
    net = read(model).eval()
    shape = net.shape
    for batch in (1, 8, 64, 256):
        planes = torch.randint(0, 2, (batch, *shape)).float()
        with torch.inference_mode():
            print(f"torch {batch} {rate(lambda: net(planes), batch):.0f}", flush=True)
    net.train()
    optimiser = torch.optim.Adam(net.parameters(), lr=1e-3)
    planes = torch.randint(0, 2, (1024, *shape)).float()
    with torch.no_grad():
        moves = net(planes[:2])[0].shape[1]
    legal, policy = torch.ones(1024, moves), torch.full((1024, moves), 1 / moves)
    values = torch.randint(-1, 2, (1024,)).float()

    def step():
        optimiser.zero_grad()
        sum(loss(net, planes, legal, policy, values)).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()

    print(f"torch-training 1024 {rate(step, 1024, 6):.0f}")


if __name__ == "__main__":
    {"make": make, "compare": compare, "speed": speed}[sys.argv[1]](*sys.argv[2:])
