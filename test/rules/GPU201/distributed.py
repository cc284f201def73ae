"""Code for several GPUs makes hints, of index 0 and of every other."""
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(0)  #: GPU201 hint
    return torch.zeros(1, device="cuda:1")  #: GPU201 hint


def with_local_rank():
    rank = int(os.environ["LOCAL_RANK"])
    log_device = torch.device("cuda:0") if rank == 0 else torch.device("cpu")  #: GPU201 hint
    return torch.zeros(1).to(log_device)


def switched(x, args):
    if args.distributed:
        x = x.to("cuda:0")  #: GPU201 hint
    else:
        x = x.to("cuda:0")  #: GPU201
    return x


def worker(rank, size):
    x = torch.zeros(1, device="cuda:0")  #: GPU201 hint
    return x + rank / size


def gloo():
    dist.init_process_group("gloo")
    return torch.zeros(1, device="cuda:0")  #: GPU201


def elsewhere(x):
    return x.to("cuda:0")  #: GPU201


if __name__ == "__main__":
    mp.spawn(worker, args=(2,), nprocs=torch.cuda.device_count())
