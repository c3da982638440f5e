"""The network: what a position will cost a seat, and what each play of it will."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from training.features import ITEM, SCENE, Described


class Shape(NamedTuple):
    """How many numbers the layers have."""

    embed: int = 64
    wide: int = 256
    deep: int = 64
    head: int = 48


SHAPES = {"base": Shape(128, 1024, 256, 96)}
"""Games whose network is larger than usual."""
SCALE = 10.0
"""The outputs are in tens of bullheads, so that they are about one."""


class Network(nn.Module):
    """Plays are embedded one by one and summed up, so the order and the number of cards do not matter."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.item = nn.Linear(ITEM, shape.embed)
        self.wide = nn.Linear(shape.embed + SCENE, shape.wide)
        self.deep = nn.Linear(shape.wide, shape.deep)
        self.value = nn.Linear(shape.deep, 1)
        self.head = nn.Linear(shape.embed + shape.deep, shape.head)
        self.play = nn.Linear(shape.head, 1)

    def trunk(self, d: Described) -> tuple[Tensor, Tensor]:
        """Return the embedded plays and the digest of the whole position."""
        embedded = torch.relu(self.item(d.items)) * d.valid[:, :, None]
        pooled = embedded.sum(1) / 4.0
        wide = torch.relu(self.wide(torch.cat([pooled, d.scene], 1)))
        return embedded, torch.relu(self.deep(wide))

    def worth(self, d: Described) -> Tensor:
        """Return what the rest of the round costs the seat, in bullheads."""
        return self.value(self.trunk(d)[1])[:, 0] * SCALE

    def forward(self, d: Described) -> tuple[Tensor, Tensor]:
        """Return the value of the position, and of each play in it."""
        embedded, deep = self.trunk(d)
        weight, behind = self.head.weight, embedded.shape[2]
        context = deep @ weight[:, behind:].T + self.head.bias
        hidden = torch.relu(embedded @ weight[:, :behind].T + context[:, None])
        return self.value(deep)[:, 0] * SCALE, self.play(hidden)[:, :, 0] * SCALE


def save(network: Network, path: Path, kind: type[np.floating[Any]] = np.float32) -> None:
    """Write the weights as plain arrays, inputs first, ready for inference; in half precision if wanted."""
    arrays = {}
    for name, layer in network.named_children():
        assert isinstance(layer, nn.Linear)
        arrays[f"{name}_weight"] = layer.weight.detach().float().cpu().numpy().T.astype(kind)
        arrays[f"{name}_bias"] = layer.bias.detach().float().cpu().numpy().astype(kind)
    np.savez_compressed(path, **arrays)


def load(path: Path) -> Network:
    """Read weights that `save` wrote, also of a network that was told less: what is new has no say yet."""
    with np.load(path) as arrays, torch.no_grad():
        network = Network(
            Shape(*[arrays[f"{layer}_bias"].size for layer in ("item", "wide", "deep", "head")])
        )
        for name, layer in network.named_children():
            assert isinstance(layer, nn.Linear)
            weight = torch.from_numpy(arrays[f"{name}_weight"].T.astype(np.float32))
            bias = torch.from_numpy(arrays[f"{name}_bias"].astype(np.float32))
            layer.weight[:, weight.shape[1] :] = 0
            layer.weight[: weight.shape[0], : weight.shape[1]] = weight
            layer.bias[: bias.shape[0]] = bias
    return network
