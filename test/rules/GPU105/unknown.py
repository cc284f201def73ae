"""What may be wrapped or not is left alone."""
import torch
from torch import nn


class Net(nn.Module):
    pass


class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.module = Net()


def train(model, several):
    own = Net()
    if several:
        own = nn.DataParallel(own)
    torch.save(own.state_dict(), "either.pt")
    torch.save(model.state_dict(), "given.pt")
    torch.save(nn.DataParallel(Net()).state_dict(), "wrapped.pt")
    torch.save(nn.Linear(2, 2).state_dict(), "both.pt")
    torch.save(nn.DataParallel(nn.Linear(2, 2)).state_dict(), "both.pt")


def test(model):
    own = Net()
    own.load_state_dict(torch.load("either.pt", map_location="cpu"))
    own.load_state_dict(torch.load("given.pt", map_location="cpu"))
    own.load_state_dict(torch.load("published.pt", map_location="cpu"))
    own.load_state_dict(torch.load("both.pt", map_location="cpu"))
    model.load_state_dict(torch.load("wrapped.pt", map_location="cpu"))
    holder = Holder()
    holder.load_state_dict(torch.load("wrapped.pt", map_location="cpu"))
