import torch

FAST = torch.cuda.is_available()
VERBOSE = True


def can_accelerate():
    return torch.cuda.device_count() > 0


def is_quick():
    return VERBOSE
