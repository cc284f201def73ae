#: facts {"torchVersion": "2.9.0"}
"""The default refuses some files."""
import argparse
import os

import torch

a = torch.load("torch/namespace.pt", map_location="cpu")  #: GPU503
b = torch.load("torch/numpy.pt", map_location="cpu", weights_only=True)  #: GPU503
c = torch.load("torch/whole_linear.pt", map_location="cpu")  #: GPU503
d = torch.load("torch/whole_own.pt", map_location="cpu")  #: GPU503
e = torch.load("torch/protocol4.pt", map_location="cpu")  #: GPU503
g = torch.load("runs_code.pt", map_location="cpu")  #: GPU503
h = torch.load(os.path.join("torch", "namespace.pt"))["model"]  #: GPU503

i = torch.load("torch/cpu.pt", map_location="cpu")
j = torch.load("torch/training.ckpt", map_location="cpu", weights_only=True)
k = torch.load("torch/namespace.pt", map_location="cpu", weights_only=False)
l = torch.load("torch/whole_linear.pt", map_location="cpu", weights_only=False)
options = {}
m = torch.load("torch/namespace.pt", **options)
n = torch.load("torch/lightning.ckpt", map_location="cpu")
o = torch.load("torch/kinds.pt", map_location="cpu")
p = torch.load("torch/missing.pt", map_location="cpu")


def read_somehow():
    try:
        return torch.load("torch/namespace.pt", map_location="cpu")
    except Exception:
        return torch.load("torch/namespace.pt", map_location="cpu", weights_only=False)


def write_first():
    torch.save({}, "torch/numpy.pt")
    return torch.load("torch/numpy.pt")
