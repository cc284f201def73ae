"""A partial call carries its arguments to where it is called."""
import functools
from functools import partial

import torch

load_tensors = partial(torch.load, weights_only=True)
load_on_cpu = functools.partial(torch.load, map_location="cpu")


def read(path):
    return load_tensors(path)  #: GPU101


def read_on_cpu(path):
    return load_on_cpu(path)


def read_with_device(path, device):
    return load_tensors(path, map_location=device)


load_anywhere = partial(torch.load, map_location=None)


def read_overriding(path, device):
    return load_anywhere(path, map_location=device), load_anywhere(path)  #: GPU101
