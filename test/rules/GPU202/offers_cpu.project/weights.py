import torch
from torch import nn


def read(path, device="cpu"):
    net = nn.Linear(2, 2)
    net.load_state_dict(torch.load(path, map_location=device))
    return net
