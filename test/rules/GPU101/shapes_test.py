"""A test that also runs by itself."""
import torch
from torch import nn


def test_shapes():
    net = nn.Linear(2, 2)
    net.load_state_dict(torch.load("saved/net.pth"))  #: GPU101 hint


def main():
    test_shapes()


if __name__ == "__main__":
    main()
