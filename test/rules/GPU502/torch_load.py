"""What torch.load is given instead of a checkpoint."""
import os
import sys

import numpy as np
import torch
from safetensors.torch import load_file

device = torch.device("cpu")

a = torch.load("pointer.pt")  #: GPU502
b = torch.load("page.pt", map_location="cpu")  #: GPU502
c = torch.load("refusal.pt", map_location=device)  #: GPU502
d = torch.load("empty.pt", weights_only=False)  #: GPU502
e = torch.load("cut_off.pt", map_location="cpu")  #: GPU502
f = torch.load("packed.pt", map_location="cpu")  #: GPU502
g = torch.load("renamed.pt", map_location="cpu")  #: GPU502
h = torch.load("renamed.pth", map_location="cpu")  #: GPU502
i = torch.load("others/kinds.safetensors")  #: GPU502
j = torch.load("others/tiny.gguf")  #: GPU502
k = torch.load("others/model.safetensors.index.json")  #: GPU502
l = torch.load("keras/model.h5", map_location="cpu")  #: GPU502
m = torch.load("pickles/protocol2.pkl")  #: GPU502
n = torch.load("arrays/weight.npy")  #: GPU502
o = torch.load("arrays/kinds.npz")  #: GPU502
p = torch.load("recent/exported.pt2")  #: GPU502
q = torch.load("tensorflow/exported")  #: GPU502
r = torch.load("recent/package.pt", map_location="cpu")  #: GPU502
s = torch.load("arrays/linear.onnx")  #: GPU502

t = torch.load("torch/cpu.pt", map_location="cpu")
u = torch.load("torch/legacy_cpu.pt", map_location="cpu")
v = torch.load("torch/tar.pt", map_location="cpu", weights_only=False)
w = torch.load("torch/scripted.pt", map_location="cpu")
x = load_file("others/kinds.safetensors")
y = np.load("arrays/weight.npy")
z = torch.load(sys.argv[1])
aa = torch.load("torch", map_location="cpu")
ab = torch.load("torch/missing.pt", map_location="cpu")
ac = torch.load("tensorflow/exported/fingerprint.pb", map_location="cpu")


def read(path):
    name = "others/kinds.safetensors"
    if path == "x":
        return torch.load(path)
    if name.endswith(".safetensors"):
        return load_file(name)
    return torch.load(name)


def read_either():
    path = "others/kinds.safetensors"
    return load_file(path) if path.endswith(".safetensors") else torch.load(path)


def read_somehow():
    try:
        return torch.load("others/kinds.safetensors")
    except Exception:
        return load_file("others/kinds.safetensors")


def fetch_and_read():
    torch.save({}, "empty.pt")
    return torch.load("empty.pt")


if os.path.exists("pointer.pt"):
    ad = torch.load("pointer.pt", map_location="cpu")  #: GPU502
