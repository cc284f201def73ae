"""No choice of a device by what PyTorch finds."""
import torch

backend = "nccl" if torch.cuda.is_available() else "gloo"
pin_memory = torch.cuda.is_available()
kind = "cuda"
label = "GPU" if torch.cuda.is_available() else "CPU"


def place(use_gpu, x):
    where = "cuda" if use_gpu else "cpu"
    is_there = "cuda" if x.is_cuda else "cpu"
    if torch.cuda.is_available():
        name = "cuda"
    elif use_gpu:
        name = "remote"
    else:
        name = "cpu"
    if torch.cuda.is_available():
        fast = "cuda"
        print(fast)
    else:
        fast = "cpu"
    other = "cuda" if torch.cuda.is_available() else "meta"
    return where, is_there, name, fast, other
