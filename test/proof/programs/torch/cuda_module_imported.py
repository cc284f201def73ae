# fails: AssertionError: Torch not compiled with CUDA enabled
# offered: it measures a GPU, so its findings are hints
"""The module of CUDA under names of its own."""
import time

import torch
import torch.cuda as tc
from torch import cuda
from torch.cuda import synchronize

started = time.time()
total = torch.ones(8, 8).sum()
cuda.synchronize()
tc.synchronize()
synchronize()
print(total.item(), time.time() >= started)
