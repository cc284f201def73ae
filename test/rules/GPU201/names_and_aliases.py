"""Names resolve through imports and assignments, never through spelling."""
import functools

import cupy as cp
import torch as th
from numba import cuda as numba_cuda
from torch import cuda, device as Device
from torch.cuda import set_device

from engine import device, select

pin = th.cuda.set_device
zeros_there = functools.partial(th.zeros, device="cuda:1")  #: GPU201


def aliased():
    return th.device("cuda:0")  #: GPU201


def imported():
    return Device("cuda:1")  #: GPU201


def imported_function():
    set_device(0)  #: GPU201


def assigned_function():
    pin(1)  #: GPU201


def submodule(fn):
    with cuda.device(0):  #: GPU201
        return fn()


def others():
    numba_cuda.select_device(0)
    cp.cuda.Device(0).use()
    select(0)
    return device("engine", 0)


def shadowed(set_device):
    set_device(0)


class Engine:
    def set_device(self, index):
        self.index = index

    def start(self):
        self.set_device(0)
        return self.cuda_streams(0)
