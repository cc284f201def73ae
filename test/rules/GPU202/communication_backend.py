"""NCCL only runs on GPUs and Gloo on the CPU, so a test of the backend is one of the device."""
import torch
import torch.distributed as dist


def for_nccl(x):
    if dist.get_backend() == "nccl":
        x = x.cuda()
    if dist.get_backend() == dist.Backend.NCCL and x.numel() > 0:
        x = x.to("cuda")
    return x


def not_gloo(x, backend):
    device = "cpu" if backend == "gloo" else "cuda"
    return x.to(device)


def not_nccl(x, backend):
    if backend != "nccl":
        x = x.cuda()  #: GPU202
    return x


def other_backend(x, backend):
    if backend == "agg":
        x = x.cuda()  #: GPU202 same
    return x


def known(x, backend):
    if backend in ("gloo", "nccl"):
        x = x.cuda()  #: GPU202 same
    return x
