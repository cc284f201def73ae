# fails: AssertionError: Torch not compiled with CUDA enabled
"""Written on Windows."""
import torch


class Scaler:
    def __call__(self, x):
        x = x.cuda()
        torch.cuda.synchronize()
        return x / x.max()


print(Scaler()(torch.arange(1.0, 5.0)).sum().item())
