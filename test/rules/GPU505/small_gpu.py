#: facts {"here": {"devices": {"cuda": {"count": 2, "because": "this machine has 2 GPUs"}}, "gpus": [{"name": "GPU 0 (small)", "total": 16, "isSplit": false}, {"name": "GPU 1 (large)", "total": 65536, "isSplit": false}]}}
"""A GPU that is too small for the files, and one that is not."""
import torch
from safetensors.torch import load_file

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

a = torch.load("torch/cuda0.pt")  #: GPU505
b = torch.load("torch/cpu.pt", map_location="cuda:0")  #: GPU505
c = load_file("others/kinds.safetensors", device="cuda:0")  #: GPU505
d = torch.load("torch/cpu.pt", map_location="cpu").to("cuda:0")  #: GPU505
# Any GPU may be meant, and one is large enough; or none is.
e = torch.load("torch/cpu.pt", map_location="cuda")
f = torch.load("torch/cpu.pt", map_location=device)
g = torch.load("torch/cpu.pt", map_location="cuda:1")
h = torch.load("torch/cpu.pt", map_location="cpu")
i = torch.load("torch/cpu.pt")
j = load_file("others/kinds.safetensors")
k = torch.load("torch/missing.pt", map_location="cuda:0")
