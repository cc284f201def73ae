"""`.cuda(0)`, `torch.cuda.set_device(0)` and `torch.cuda.device(1)`."""
import os

import torch


def method(x):
    x = x.cuda(0)  #: GPU201
    x = x.cuda(1)  #: GPU201
    x = x.cuda(device=0)  #: GPU201 hint
    return x.cuda(0, non_blocking=True)  #: GPU201 hint


def method_without_index(x):
    return x.cuda()  #: GPU202


def method_with_variable(x, rank):
    return x.cuda(rank)  #: GPU202 same


def method_with_string(x):
    return x.cuda("cuda:1")  #: GPU201


def set_index():
    torch.cuda.set_device(0)  #: GPU201


def set_string():
    torch.cuda.set_device("cuda:0")  #: GPU201


def set_second():
    torch.cuda.set_device(1)  #: GPU201


def set_variable(rank):
    torch.cuda.set_device(rank)  #: GPU202 same


def context(fn):
    with torch.cuda.device(1):  #: GPU201
        return fn()


def context_zero(fn):
    with torch.cuda.device(0):  #: GPU201
        return fn()


def context_variable(fn, x, rank):
    with torch.cuda.device(rank), torch.cuda.device(x.get_device()):
        return fn()


def chosen_by_environment():
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU201
    os.environ.setdefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID")


def asked():
    # These read, they pin nothing.
    print(torch.cuda.memory_allocated(0), torch.cuda.max_memory_allocated(0))
    return torch.cuda.get_device_name(0)  #: GPU202 same


GPU = 1  #: GPU201
torch.cuda.set_device(GPU)


def by_constant(x):
    return x.cuda(GPU)


def index_in_a_local(x):
    gpu = 0  #: GPU201
    return x.cuda(gpu)


def seeds():
    torch.cuda.manual_seed(0)
    torch.cuda.manual_seed_all(1)
    torch.manual_seed(0)
