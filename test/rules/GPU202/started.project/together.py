import torch
import torch.distributed as dist


def share(rank, count):
    dist.init_process_group("nccl", rank=rank, world_size=count)  #: GPU202 hint
    return halved(torch.zeros(2), rank)


def halved(rows, rank):
    return rows.cuda(rank) / 2
