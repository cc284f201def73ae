"""A model on all cards of a machine."""
import torch
from torch import nn


def main(cards):
    torch.cuda.set_device(cards[0])  #: GPU202 hint
    net = nn.DataParallel(nn.Linear(6, 6).cuda(), device_ids=cards)  #: GPU202 hint
    return step(net, torch.rand(2, 6))


def step(net, rows):
    return net(rows.cuda())  #: GPU202 hint


if __name__ == "__main__":
    main([0, 1, 2])
