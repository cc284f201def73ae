"""Devices that hand values to each other: the program, or the class, is about several GPUs."""
import torch
from torch import nn


class Halves(nn.Module):
    def __init__(self):
        super().__init__()
        self.lower = nn.Linear(4, 4).to("cuda:0")  #: GPU201 hint
        self.upper = nn.Linear(4, 4).to("cuda:1")  #: GPU201 hint

    def forward(self, x):
        x = self.lower(x.to("cuda:0"))  #: GPU201 hint
        return self.upper(x.to("cuda:1"))  #: GPU201 hint


def distill(batch):
    teacher = nn.Linear(4, 4).cuda(1)  #: GPU201 hint
    student = nn.Linear(4, 4).cuda(0)  #: GPU201 hint
    target = teacher(batch.cuda(1))  #: GPU201 hint
    return student(batch.cuda(0)) - target.cuda(0)  #: GPU201 hint, GPU201 hint


def documented(batch):
    """Needs at least two GPUs."""
    return batch.to("cuda:0"), batch.to("cuda:1")  #: GPU201 hint, GPU201 hint


def alone(batch):
    return batch.to("cuda:1")  #: GPU201
