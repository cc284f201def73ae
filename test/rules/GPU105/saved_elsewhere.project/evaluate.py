"""Loads into a bare model what another file saves from a wrapped one."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)


def main():
    model = Net()
    model.load_state_dict(torch.load("runs/best.pt", map_location="cpu"))  #: GPU105
    checkpoint = torch.load("runs/last.pt", map_location="cpu")
    model.load_state_dict(checkpoint["state"])  #: GPU105
    model.load_state_dict(torch.load("inner.pt", map_location="cpu"))
    model.load_state_dict(torch.load("epoch_3.pt", map_location="cpu"))
    model.load_state_dict(torch.load("either.pt", map_location="cpu"))
    model.load_state_dict(torch.load("pretrained.pt", map_location="cpu"))
    parallel = nn.DataParallel(Net())
    parallel.load_state_dict(torch.load("runs/best.pt", map_location="cpu"))
    parallel.load_state_dict(torch.load("inner.pt", map_location="cpu"))  #: GPU105
