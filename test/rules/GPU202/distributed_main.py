"""Code that a launcher starts on GPU machines makes hints, in the function that does it."""
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from models import Net


def with_nccl(rank, world_size):
    dist.init_process_group(backend="nccl", rank=rank, world_size=world_size)  #: GPU202 hint
    torch.cuda.set_device(rank)  #: GPU202 hint
    model = Net().cuda(rank)  #: GPU202 hint
    return DistributedDataParallel(model, device_ids=[rank])


def with_nccl_by_position():
    dist.init_process_group("nccl")  #: GPU202 hint
    device = torch.device("cuda", dist.get_rank())  #: GPU202 hint
    return Net().to(device)


def with_gloo(rank, world_size):
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    return Net().cuda()  #: GPU202


def with_local_rank(batch):
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)  #: GPU202 hint
    return batch.cuda()  #: GPU202 hint


def with_local_rank_default(batch):
    torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", 0)))  #: GPU202 hint
    return batch.to("cuda")  #: GPU202 hint


def with_getenv(batch):
    rank = int(os.getenv("LOCAL_RANK", "0"))
    return batch.cuda(rank)  #: GPU202 hint


def with_another_variable(batch):
    rank = int(os.environ["SLURM_JOB_ID"])
    return batch.cuda(rank)  #: GPU202 same


def elsewhere(batch):
    return batch.cuda()  #: GPU202 same


def guarded_too(batch):
    dist.init_process_group("nccl")  #: GPU202 hint
    if torch.cuda.is_available():
        batch = batch.cuda()
    return batch
