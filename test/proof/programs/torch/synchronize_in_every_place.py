# fails: AssertionError: Torch not compiled with CUDA enabled
# offered: it measures a GPU, so its findings are hints
"""synchronize() where the only statement of a block is."""
import time

import torch


class Timer:
    def __enter__(self):
        torch.cuda.synchronize()
        self.start = time.perf_counter()
        return self

    def __exit__(self, *_):
        torch.cuda.synchronize()
        self.elapsed = time.perf_counter() - self.start


def wait():
    torch.cuda.synchronize()


def step(x):
    try:
        return x.sum()
    finally:
        torch.cuda.synchronize()  # or the time is wrong


with Timer() as timer:
    step(torch.rand(4))
    wait()
print(timer.elapsed >= 0)
