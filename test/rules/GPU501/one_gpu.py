#: facts {"here": {"devices": {"cuda": {"count": 1, "because": "this machine has 1 GPU"}, "mps": {"count": 0, "because": "this machine is not a Mac"}}, "torch": "2.9.0"}, "torchVersion": "2.9.0"}
"""One GPU, and checkpoints from larger machines."""
import os
import sys
from pathlib import Path

import torch
from torch import load

FOLDER = "torch"
BEST = os.path.join(FOLDER, "cuda3.pth")
ROOT = Path("torch")
NAME = "legacy_cuda1"
config = {"weights": "torch/cuda3.pth"}

a = torch.load("torch/cuda3.pth")  #: GPU501
b = torch.load("torch/cuda3.pth", map_location=None)  #: GPU501
c = load(BEST, weights_only=True)  #: GPU501
d = torch.load(ROOT / "two_gpus.pt")  #: GPU501
e = torch.load(ROOT.joinpath("cuda3.pth"))  #: GPU501
f = torch.load(f"{FOLDER}/{NAME}.pt")  #: GPU501
g = torch.load(FOLDER + "/cuda3.pth")  #: GPU501
h = torch.load(str(Path(FOLDER, "cuda3.pth")))  #: GPU501
i = torch.load(config["weights"])  #: GPU501
j = torch.load("torch/mps.pt")  #: GPU501
k = torch.load(open("torch/cuda3.pth", "rb"))  #: GPU501
l = torch.load(f="torch/cuda3.pth")  #: GPU501
model = torch.nn.Linear(2, 2)
model.load_state_dict(
    torch.load(  #: GPU501
        "torch/cuda3.pth",
    )
)

m = torch.load("torch/cuda0.pt")
n = torch.load("torch/cpu.pt")
o = torch.load("torch/cuda3.pth", map_location="cpu")
p = torch.load("torch/cuda3.pth", "cpu")
q = torch.load("torch/cuda3.pth", map_location={"cuda:3": "cuda:0"})
r = torch.load("torch/missing.pth")
s = torch.load(sys.argv[1])
t = torch.load(os.environ.get("WEIGHTS", "torch/cuda3.pth"))
u = torch.load(Path.home() / "torch" / "cuda3.pth")
v = torch.load("recent/xpu.pt")


def read(path="torch/cuda3.pth", **kwargs):
    first = torch.load(path)
    return first, torch.load("torch/cuda3.pth", **kwargs)


def write_first(model):
    torch.save(model.state_dict(), "torch/two_gpus.pt")
    return torch.load("torch/two_gpus.pt")


def careful(path="torch/cuda3.pth"):
    if torch.cuda.device_count() > 3:
        return torch.load("torch/cuda3.pth")
    try:
        return torch.load("torch/cuda3.pth")
    except RuntimeError:
        return torch.load("torch/cuda3.pth", map_location="cpu")


if os.path.exists(BEST):
    w = torch.load(BEST)  #: GPU501
