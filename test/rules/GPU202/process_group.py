"""NCCL without a test, a fallback or a launcher."""
import torch
import torch.distributed as dist


def alone():
    dist.init_process_group("nccl", init_method="tcp://localhost:23456", rank=0, world_size=1)  #: GPU202


def tested():
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")


def gloo():
    dist.init_process_group(backend="gloo")


def chosen(backend):
    dist.init_process_group(backend)


def fallen_back():
    try:
        dist.init_process_group("nccl")
    except RuntimeError:
        dist.init_process_group("gloo")
