# fails: AssertionError: Torch not compiled with CUDA enabled
# stays: a default is only a hint, because all callers may pass a device
"""The default of a parameter that nobody gives."""
import torch


def make_noise(batch, size=8, device="cuda"):
    return torch.randn(batch, size, device=device)


def interpolate(a, b, steps=4, device="cuda"):
    weights = torch.linspace(0, 1, steps, device=device).view(-1, 1)
    return a * (1 - weights) + b * weights


print(interpolate(make_noise(1), make_noise(1)).shape)
