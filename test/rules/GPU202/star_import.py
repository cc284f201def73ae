"""A star import binds the names of the module."""
from torch import *
from torch.cuda import *


def build():
    return device("cuda")  #: GPU202


def wait():
    synchronize()  #: GPU202 same


def maybe(x):
    if is_available():
        x = x.cuda()
    return x
