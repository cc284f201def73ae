"""Mapping a load helps nobody where the code around it needs a GPU and the file never offers the CPU."""
import torch
from torch import nn


def paint(path, picture):
    net = nn.Conv2d(3, 3, 1)
    net.load_state_dict(torch.load(path))  #: GPU101 hint
    net.cuda()  #: GPU202
    return net(picture.cuda())  #: GPU202 same


def restore(path, net):
    net.load_state_dict(torch.load(path))  #: GPU101
    return net
