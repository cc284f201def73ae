# fails: AssertionError: Torch not compiled with CUDA enabled
"""An ensemble; one line for all of its members."""
import torch
from torch import nn

ensemble = nn.ModuleList([nn.Linear(3, 2) for _ in range(4)])
members = [m.cuda() for m in ensemble]
inputs = {name: torch.rand(2, 3) for name in "ab"}
votes = {name: sum(m(x.cuda()) for m in members) for name, x in inputs.items()}
print({name: tuple(v.shape) for name, v in votes.items()}, (lambda t: t.cuda().sum().item())(torch.ones(2)))
