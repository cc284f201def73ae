#: facts {"here": {"devices": {"cuda": {"count": 0, "because": "torch 2.9.0 is built without CUDA"}, "mps": {"count": 1, "because": "this machine is a Mac with a GPU"}}, "torch": "2.9.0"}, "torchVersion": "2.9.0"}
"""A Mac, and checkpoints with types that its GPU does not have."""
import sys

import torch

DEVICE = "mps"
chosen = "mps" if torch.backends.mps.is_available() else "cpu"

a = torch.load("torch/kinds.pt", map_location="mps")  #: GPU501
b = torch.load("torch/kinds.pt", torch.device("mps"))  #: GPU501
c = torch.load("torch/kinds.pt", map_location=DEVICE)  #: GPU501
d = torch.load("torch/kinds.pt", map_location=torch.device("mps:0"))  #: GPU501

e = torch.load("torch/kinds.pt", map_location="cpu")
f = torch.load("torch/kinds.pt")
g = torch.load("torch/kinds.pt", map_location=chosen)
h = torch.load("torch/kinds.pt", map_location=sys.argv[1])
i = torch.load("torch/cpu.pt", map_location="mps")
try:
    j = torch.load("torch/kinds.pt", map_location="mps")
except TypeError:
    j = torch.load("torch/kinds.pt", map_location="cpu")
