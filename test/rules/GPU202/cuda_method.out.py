"""Forms of `.cuda()` in a script that has no device yet."""
from __future__ import print_function

import os
try:
    import wandb
except ImportError:
    wandb = None

import torch
from torch import nn  # the layers

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)
        self.to(device)

    def forward(self, x):
        device = self.layer.weight.device
        mask = torch.zeros(x.shape).to(device, non_blocking=True)
        return self.layer(x.to(device)) * mask.to(device, non_blocking=True)


class Batch:
    def __init__(self, x):
        self.x = x

    def cuda(self):
        self.x = self.x.cuda()
        return self


def forms(x, model, index, options):
    x = x.to(device=device)
    x = x.to(
        device,
        non_blocking=True,
    )
    x = x.to(
        # as it comes
        device,
        non_blocking=True, memory_format=torch.channels_last
    )
    x = (
        x.float()
        .to(device)
        .contiguous()
    )
    y = [each.to(device) for each in x], {key: value.to(device) for key, value in options.items()}
    z = model(x.to(device)).to(device), (lambda each: each.to(device))(x)
    x.to(device); model.to(device)
    if model: model.to(device)
    message = f"{x.to(device).sum():.3f}"
    return x, y, z, message


# What has no safe fix keeps its function as it is: half of it would not run either.


def in_part(x, index):
    return x.cuda(index), x.cuda()


def of_own_class(x, options):
    batch = Batch(x).cuda()
    return batch, x.cuda()


def with_options(x, options):
    return x.cuda(**options), x.cuda()


state = torch.load("net.pt", map_location="cpu").to(device)
hook = torch.load("net.pt", map_location=device)
model = Net().to(device)


if __name__ == "__main__":
    forms(torch.zeros(1).to(device), model, 0, {})
