"""Names resolve through imports and assignments, never through spelling."""
import functools

import torch as th
import torch.cuda as tcuda
from torch import cuda, device as Device
from torch.cuda import Event, synchronize as sync

try:
    from torch.cuda import Stream as SideStream
except ImportError:
    SideStream = None

make_device = th.device
wait = th.cuda.synchronize
zeros_there = functools.partial(th.zeros, device="cuda")  #: GPU202


def aliased_module():
    return th.device("cuda")  #: GPU202 same


def imported_class():
    return Device("cuda")  #: GPU202 same


def submodule():
    return tcuda.current_device()  #: GPU202 same


def submodule_by_name():
    cuda.reset_peak_memory_stats()  #: GPU202 same


def imported_function():
    sync()  #: GPU202 same


def imported_event():
    return Event(enable_timing=True)  #: GPU202 hint


def imported_under_try():
    return SideStream()  #: GPU202 same


def assigned_function():
    return make_device("cuda")  #: GPU202 same


def assigned_inner():
    wait()  #: GPU202 same


def imported_here():
    from torch.cuda import current_stream

    return current_stream()  #: GPU202 same


def guarded_by_alias(x):
    available = cuda.is_available
    if tcuda.is_available():
        x = x.cuda()
    if available():
        x = x.cuda()
    return x


def shadowed(sync):
    # The parameter hides the import.
    return sync()


def shadowed_module(th):
    return th.device("cuda")


class Device2:
    def device(self, name):
        return name

    def use(self):
        return self.device("cuda")


def local_definition():
    def synchronize():
        return None

    return synchronize()
