import torch


def fuse(tensor):
    return tensor.cuda()  #: GPU202 hint


def split(tensor):
    return tensor.cuda()  #: GPU202 hint
