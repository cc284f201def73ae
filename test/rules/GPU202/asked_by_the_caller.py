"""A module's own `cuda` moves what the module's base class does not: its caller asks for the GPU."""
import enum

import torch


class Anchors(torch.nn.Module):
    def cuda(self, device=None):
        moved = super().cuda(device)
        moved.boxes = moved.boxes.cuda(device)
        return moved


class Device(enum.Enum):
    CUDA = "cuda"
    CPU = "cpu"


def by_member(x, device):
    if device == Device.CUDA:
        x = x.cuda()
    if device != Device.CPU:
        x = x.cuda()
    return x.cuda() if device == Device.CPU else x  #: GPU202


def cuda(x):
    return x.cuda()  #: GPU202 same


def configured(x):
    options = dict(device="cuda", size=3)
    return options, x.to(device="cuda")  #: GPU202 same
