"""`torch.device` with an index in its string or beside it."""
import torch
import torch.nn as nn

first = torch.device("cuda:0")  #: GPU201
model = nn.Linear(4, 2).to(first)


def by_string():
    return torch.device("cuda:1")  #: GPU201


def by_position():
    return torch.device("cuda", 1)  #: GPU201


def by_position_zero():
    return torch.device("cuda", 0)  #: GPU201


def by_keyword():
    return torch.device("cuda", index=0)  #: GPU201


def by_variable(rank):
    # No index is written here: the device itself is GPU202's.
    return torch.device("cuda", rank)  #: GPU202


def without_index():
    return torch.device("cuda")  #: GPU202 same


def others(name):
    return torch.device("cpu"), torch.device("cpu", 0), torch.device("mps"), torch.device(name)


def used_at_once(x):
    return x.to(torch.device("cuda:0"))  #: GPU201


def nested(shape):
    return torch.empty(shape, device=torch.device("cuda:3"))  #: GPU201


class Agent:
    def __init__(self):
        self.device = torch.device("cuda:0")  #: GPU201
        self.policy = nn.Linear(4, 2).to(self.device)

    def act(self, state):
        return self.policy(state.to(self.device))
