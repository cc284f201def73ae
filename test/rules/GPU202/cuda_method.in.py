"""Forms of `.cuda()` in a script that has no device yet."""
from __future__ import print_function

import os
try:
    import wandb
except ImportError:
    wandb = None

import torch
from torch import nn  # the layers


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)
        self.cuda()

    def forward(self, x):
        mask = torch.zeros(x.shape).cuda(non_blocking=True)
        return self.layer(x.cuda()) * mask.cuda(None, True)


def forms(x, model, index, options):
    x = x.cuda(device=None)
    x = x.cuda(
        non_blocking=True,
    )
    x = x.cuda(
        # as it comes
        non_blocking=True, memory_format=torch.channels_last
    )
    x = (
        x.float()
        .cuda()
        .contiguous()
    )
    y = [each.cuda() for each in x], {key: value.cuda() for key, value in options.items()}
    z = model(x.cuda()).cuda(), (lambda each: each.cuda())(x)
    x.cuda(); model.cuda()
    if model: model.cuda()
    message = f"{x.cuda().sum():.3f}"
    return x, y, z, message


state = torch.load("net.pt").cuda()
hook = torch.load("net.pt", map_location=lambda storage, location: storage.cuda())
model = Net().cuda()


if __name__ == "__main__":
    forms(torch.zeros(1).cuda(), model, 0, {})
