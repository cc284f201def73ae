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
        mask = torch.zeros(x.shape).to(device, non_blocking=True)
        return self.layer(x.to(device)) * mask.to(device, non_blocking=True)


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


state = torch.load("net.pt", map_location=device).to(device)
hook = torch.load("net.pt", map_location=device)
model = Net().to(device)


if __name__ == "__main__":
    forms(torch.zeros(1).to(device), model, 0, {})
