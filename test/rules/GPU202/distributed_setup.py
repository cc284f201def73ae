"""A function that always sets up a process does so for its callers; so do collectives, and tests of the world's size."""
import torch
import torch.distributed as dist

from models import Net


def setup(rank, size):
    dist.init_process_group("nccl", rank=rank, world_size=size)  #: GPU202


def worker(rank, size):
    setup(rank, size)
    return Net().cuda(rank)  #: GPU202 hint


def maybe_setup(rank, size):
    if size > 1:
        dist.init_process_group("nccl", rank=rank, world_size=size)  #: GPU202 hint


def main(rank, size):
    maybe_setup(rank, size)
    return Net().cuda()  #: GPU202 same


def total(value):
    value = torch.tensor(value, device="cuda")  #: GPU202 hint
    dist.all_reduce(value)
    return value


def mean(value, world_size):
    if world_size > 1:
        value = value.cuda()  #: GPU202 hint
    if world_size == 1:
        value = value.cuda()  #: GPU202 same
    return value


def is_dist_avail_and_initialized():
    return dist.is_available() and dist.is_initialized()


def synced(value):
    if not is_dist_avail_and_initialized():
        return value
    return value.cuda()  #: GPU202 hint


def distance(value, dist):
    if dist:
        value = value.cuda()  #: GPU202 same
    return value
