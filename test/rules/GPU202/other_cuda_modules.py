"""Modules and methods that are called cuda, and are not torch's."""
import threading

import cupy as cp
import pycuda.driver as drv
from numba import cuda

from engine import device, get_device_name, set_device


@cuda.jit
def add_one(array):
    position = cuda.grid(1)
    if position < array.size:
        array[position] += 1


def launch(array):
    stream = cuda.stream()
    moved = cuda.to_device(array, stream=stream)
    add_one[32, 128](moved)
    cuda.synchronize()
    return moved.copy_to_host()


def cupy_stream():
    stream = cp.cuda.Stream(non_blocking=True)
    with stream:
        cp.cuda.runtime.deviceSynchronize()
    return cp.cuda.Event()


def pycuda_stream():
    drv.init()
    return drv.Stream(), drv.Event()


def wait():
    event = threading.Event()
    event.wait(1.0)


def project(rank):
    set_device(rank)
    print(get_device_name())
    return device("cuda")


class Engine:
    def synchronize(self):
        self.queue.synchronize()

    def current_device(self):
        return self.index

    def report(self):
        print(self.current_device(), self.get_device_properties(0))
