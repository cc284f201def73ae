import torch
from torch import nn


def read(path):
    net = nn.Linear(2, 2)
    net.load_state_dict(torch.load(path, map_location="cpu"))
    return net
