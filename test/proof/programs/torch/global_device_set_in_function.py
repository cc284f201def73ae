# fails: AssertionError: Torch not compiled with CUDA enabled
"""A global that a function sets."""
import torch

device = None


def setup(seed=0):
    global device
    torch.manual_seed(seed)
    device = torch.device("cuda:0")


def sample(n):
    return torch.rand(n, device=device)


setup()
print(sample(3).shape)
