# fails: AssertionError: Torch not compiled with CUDA enabled
"""PyTorch may be missing."""
try:
    import torch
except ImportError:
    torch = None


def dot(a, b):
    if torch is None:
        return sum(x * y for x, y in zip(a, b))
    return (torch.tensor(a).cuda() * torch.tensor(b).cuda()).sum().item()


print(dot([1, 2], [3, 4]))
