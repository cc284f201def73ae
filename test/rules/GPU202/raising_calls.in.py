import os

import torch
import torch as th
from torch import cuda
from torch.cuda import synchronize


def statements(fn, rank, stream):
    torch.cuda.synchronize()
    start = os.times().elapsed
    fn()
    torch.cuda.synchronize()  # all kernels are done
    th.cuda.synchronize()
    cuda.synchronize()
    synchronize()
    torch.cuda.set_device(rank)
    torch.cuda.reset_peak_memory_stats(
        device=rank,
    )
    for _ in range(3):
        with stream:
            torch.cuda.synchronize()
    return os.times().elapsed - start
