"""The launcher also calls this where there is no GPU."""
import torch
import torch.distributed as dist


def work(rank, count):
    if count > 1:
        dist.init_process_group("nccl", rank=rank, world_size=count)  #: GPU202 hint
    device = torch.device(f"cuda:{rank}")  #: GPU202
    return torch.zeros(2, device=device)


def left_over(rows):
    return rows.cuda()  #: GPU202 hint
