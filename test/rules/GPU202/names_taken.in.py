import torch

device = "cpu"


def move(x):
    return x.cuda()


def other(x, torch_device):
    return x.cuda(), x.to(torch_device)
