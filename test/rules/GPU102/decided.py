"""What somebody else decides, or what is safe."""
import argparse
import io
import os
import pickle

import dill
import joblib
import numpy as np
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--unsafe", action="store_true")
args = parser.parse_args()

WEIGHTS_ONLY = not args.unsafe

a = torch.load("a.pt", weights_only=True)
b = torch.load("b.pt", weights_only=WEIGHTS_ONLY)
c = torch.load("c.pt", weights_only=not args.unsafe)
d = torch.load("d.pt", weights_only=None)
e = torch.load("e.pt")
f = torch.load("f.pt", map_location="cpu")
options = {"weights_only": False}
g = torch.load("g.pt", **options)
h = torch.load("h.pt", pickle_module=dill, weights_only=False)
i = torch.load("i.pt", "cpu", dill)
j = np.load("j.npz", allow_pickle=False)
k = joblib.load("k.pkl")
with open("l.pkl", "rb") as file:
    l = pickle.load(file)


def load_checkpoint(path, weights_only=False):
    return torch.load(path, map_location="cpu", weights_only=weights_only)


def load_any(path, *args, **kwargs):
    return torch.load(path, *args, **kwargs)


class Reader:
    def load(self, path, weights_only=False):
        return path, weights_only

    def read(self, path):
        return self.load(path, weights_only=False)


def load(path, weights_only=True):
    return os.path.abspath(path), weights_only


m = load("m.pt", weights_only=False)
n = torch.jit.load("n.pt")
o = io.open("weights_only=False.txt")
print("torch.load(path, weights_only=False)")
# torch.load(path, weights_only=False)
