"""A device is reported where it is named, not where it is used."""
import torch
import torch.nn as nn

device = torch.device("cuda")  #: GPU202
model = nn.Linear(4, 2).to(device)
optimizer = torch.optim.Adam(model.parameters())
weights = torch.ones(2, device=device)


def train(batch, labels):
    batch, labels = batch.to(device), labels.to(device)
    return nn.functional.cross_entropy(model(batch), labels, weight=weights)


def local():
    target = "cuda"  #: GPU202 same
    net = nn.Linear(2, 2).to(target)
    x = torch.randn(1, 2, device=target)
    return net(x)


def alias():
    first = "cuda"  #: GPU202 same
    second = first
    return torch.zeros(2).to(second)


def wrapped():
    name = "cuda"  #: GPU202 same
    target = torch.device(name)
    return torch.zeros(2).to(target)


class Agent:
    def __init__(self):
        self.device = "cuda"  #: GPU202 same
        self.policy = nn.Linear(4, 2).to(self.device)

    def act(self, state):
        return self.policy(torch.as_tensor(state, device=self.device))


def used_under_guard(net):
    # The name reaches a device only where a GPU is there.
    target = "cuda"
    if torch.cuda.is_available():
        net = net.to(target)
    return net


def replaced_without_gpu(net):
    target = "cuda"
    if not torch.cuda.is_available():
        target = "cpu"
    return net.to(target)


def never_a_device(rows):
    backend = "cuda"
    rows.append(backend)
    print("backend:", backend)
    return rows


options = {"device": "cpu", "epochs": 3}
settings = {
    "device": "cuda",  #: GPU202 same
    "epochs": 3,
}
second = nn.Linear(4, 2).to(settings["device"])
third = nn.Linear(4, 2).to(options["device"])
