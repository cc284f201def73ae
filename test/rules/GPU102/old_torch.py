#: facts {"torchVersion": "2.5.1+cu121"}
"""Before torch 2.6 the default was to run what is in the file."""
import os
import pickle

import dill
import torch
from torch.hub import load_state_dict_from_url

path = os.environ["CHECKPOINT"]

a = torch.load(path)  #: GPU102 hint
b = torch.load(path, map_location="cpu")  #: GPU102 hint
c = torch.load(path, "cpu")  #: GPU102 hint
d = torch.load(path, weights_only=True)
e = torch.load(path, "cpu", pickle)
f = torch.load(path, pickle_module=dill)
g = load_state_dict_from_url("https://example.com/a.pth")
h = torch.jit.load(path)


def load(path, **kwargs):
    return torch.load(path, **kwargs)


def save_and_load(model):
    torch.save(model.state_dict(), "x.pt")
    return torch.load("x.pt")  #: GPU102 hint
