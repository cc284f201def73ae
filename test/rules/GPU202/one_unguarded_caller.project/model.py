import torch


def build():
    return torch.zeros(2).cuda()  #: GPU202


def move(tensor):
    return tensor.cuda()  #: GPU202 same


def wrap():
    return torch.zeros(2).cuda()  #: GPU202 hint
