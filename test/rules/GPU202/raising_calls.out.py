import os

import torch
import torch as th
from torch import cuda
from torch.cuda import synchronize


def statements(fn, rank, stream):
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    start = os.times().elapsed
    fn()
    if torch.cuda.is_available():
        torch.cuda.synchronize()  # all kernels are done
    if th.cuda.is_available():
        th.cuda.synchronize()
    if cuda.is_available():
        cuda.synchronize()
    if torch.cuda.is_available():
        synchronize()
    if torch.cuda.is_available():
        torch.cuda.set_device(rank)
    if torch.cuda.is_available():
        torch.cuda.reset_peak_memory_stats(
            device=rank,
        )
    for _ in range(3):
        with stream:
            if torch.cuda.is_available():
                torch.cuda.synchronize()
    return os.times().elapsed - start
