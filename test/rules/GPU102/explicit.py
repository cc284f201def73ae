"""The protection is switched off by name."""
import argparse
import functools

import torch
import torch as th
from torch import load
from torch import load as tload
from torch.serialization import load as read_checkpoint

parser = argparse.ArgumentParser()
parser.add_argument("--weights")
parser.add_argument("--trust", action="store_true")
args = parser.parse_args()

device = torch.device("cpu")

a = torch.load("a.pt", weights_only=False)  #: GPU102 hint
b = th.load("b.pt", map_location=device, weights_only=False)  #: GPU102 hint
c = load("c.pt", device, weights_only=False)  #: GPU102 hint
d = tload(args.weights, weights_only=False)["state_dict"]  #: GPU102 hint
e = read_checkpoint(args.weights, weights_only=False)  #: GPU102 hint
model = torch.nn.Linear(2, 2)
model.load_state_dict(torch.load(args.weights, map_location="cpu", weights_only=False))  #: GPU102 hint

checkpoint = torch.load(
    args.weights,
    map_location="cpu",
    weights_only=False,  #: GPU102 hint
    mmap=True,
)

unsafe_load = functools.partial(torch.load, weights_only=False)  #: GPU102 hint
f = unsafe_load("f.pt")
f = unsafe_load("other.pt")
g = unsafe_load("g.pt", weights_only=True)

torch_load = torch.load
h = torch_load("h.pt", weights_only=False)  #: GPU102 hint

print(f"best: {torch.load('i.pt', weights_only=False)['best']}")  #: GPU102 hint

remote = torch.hub.load_state_dict_from_url("https://example.com/a.pth", weights_only=False)  #: GPU102 hint
