import torch

if torch.cuda.device_count() > 1:
    torch.cuda.set_device(1)  # the free one


def context(x):
    return x
