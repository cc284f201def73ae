"""Functions and copies make wrapped and bare models."""
import copy

import torch
from torch import nn


class Net(nn.Module):
    pass


def wrapped():
    return nn.DataParallel(Net())


def bare():
    return Net()


def either(several):
    if several:
        return wrapped()
    return bare()


wrapped().load_state_dict(torch.load("parallel.pt", map_location="cpu"))
bare().load_state_dict(torch.load("parallel.pt", map_location="cpu"))  #: GPU105
either(True).load_state_dict(torch.load("parallel.pt", map_location="cpu"))
copy.deepcopy(wrapped()).load_state_dict(torch.load("parallel.pt", map_location="cpu"))
copy.deepcopy(bare()).load_state_dict(torch.load("parallel.pt", map_location="cpu"))  #: GPU105
wrapped().share_memory().load_state_dict(torch.load("parallel.pt", map_location="cpu"))
