"""Whatever lies below `tests/` is a test file."""
import torch


def random_batch(n):
    return torch.randn(n, 4, device="cuda:1")  #: GPU201 hint


def random_batch_zero(n):
    return torch.randn(n, 4).cuda(0)  #: GPU201 hint


def random_batch_unguarded(n):
    return torch.randn(n, 4).cuda()  #: GPU202
