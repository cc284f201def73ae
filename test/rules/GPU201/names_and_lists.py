"""Names, tuples and lists of pinned devices are reported at the literal, when something uses them."""
import torch
import torch.nn as nn

DEVICE = "cuda:0"  #: GPU201
DEVICES = ("cuda:0", "cuda:1")  #: GPU201 hint, GPU201
LABELS = ("cuda:0", "cuda:1")
UNUSED = "cuda:0"
config = {
    "device": "cuda:1",  #: GPU201 hint
    "note": "cuda:0",
}

model = nn.Linear(4, 2).to(DEVICE)
copies = [nn.Linear(4, 2).to(device) for device in DEVICES]
third = nn.Linear(4, 2).to(config["device"])


def step(x):
    return model(x.to(DEVICE))


def listed(x):
    for device in ["cpu", "cuda:0", "cuda:1"]:  #: GPU201, GPU201
        x = x.to(device)
    return x


def by_index(x):
    devices = ["cuda:0", "cuda:1"]  #: GPU201, GPU201
    return x.to(devices[0]) + x.to(devices[1])


def wrapped(x):
    name = "cuda:1"  #: GPU201
    device = torch.device(name)
    return x.to(device)


def alias(x):
    first = "cuda:0"  #: GPU201
    second = first
    return x.to(second)


def branches(x, big):
    if big:
        target = "cuda:1"  #: GPU201
    else:
        target = "cuda:0"  #: GPU201
    return x.to(target)


def unpacked(x):
    source, target = "cuda:0", "cuda:1"  #: GPU201, GPU201
    return x.to(source).to(target)


def only_shown():
    for label in LABELS:
        print(label)
    print(UNUSED, config["note"])


class Trainer:
    def __init__(self):
        self.device = "cuda:0"  #: GPU201
        self.label = "cuda:0"

    def run(self, x):
        print(self.label)
        return x.to(self.device)
