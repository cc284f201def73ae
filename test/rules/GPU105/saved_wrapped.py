"""Saved from a wrapped model, loaded into a bare one."""
import torch
import torchvision
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)


def train():
    model = nn.DataParallel(Net())
    torch.save(model.state_dict(), "parallel.pt")
    torch.save({"model": model.state_dict(), "epoch": 1}, "with_epoch.pt")
    fast = torch.compile(torchvision.models.resnet18())
    torch.save(fast.state_dict(), "compiled.pt")
    torch.save(model.module.state_dict(), "inner.pt")


def test():
    model = Net()
    model.load_state_dict(torch.load("parallel.pt", map_location="cpu"))  #: GPU105
    state = torch.load("with_epoch.pt", map_location="cpu")
    model.load_state_dict(state["model"])  #: GPU105
    resnet = torchvision.models.resnet18().eval()
    resnet.load_state_dict(torch.load("compiled.pt", map_location="cpu"))  #: GPU105
    model.load_state_dict(torch.load("inner.pt", map_location="cpu"))
    parallel = nn.DataParallel(model)
    parallel.load_state_dict(torch.load("parallel.pt", map_location="cpu"))
    parallel.load_state_dict(torch.load("inner.pt", map_location="cpu"))  #: GPU105
    parallel.module.load_state_dict(torch.load("inner.pt", map_location="cpu"))
    compiled = torch.compile(Net())
    compiled.load_state_dict(torch.load("parallel.pt", map_location="cpu"))  #: GPU105
