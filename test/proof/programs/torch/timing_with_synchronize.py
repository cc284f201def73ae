# fails: AssertionError: Torch not compiled with CUDA enabled
# offered: it measures a GPU, so its findings are hints
"""Times a matrix product."""
import time

import torch


def benchmark(size, repeats=3):
    a, b = torch.rand(size, size), torch.rand(size, size)
    torch.cuda.synchronize()
    start = time.time()
    for _ in range(repeats):
        c = a @ b
    torch.cuda.synchronize()
    return (time.time() - start) / repeats, c


for size in (16, 32, 64):
    seconds, c = benchmark(size)
    assert c.shape == (size, size)
    print(size, "done")
