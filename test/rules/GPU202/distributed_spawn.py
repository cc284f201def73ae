"""The body of a worker that is spawned once for each GPU."""
import torch
import torch.multiprocessing as mp

from models import Net


def worker(rank, world_size):
    torch.cuda.set_device(rank)  #: GPU202 hint
    model = Net().cuda(rank)  #: GPU202 hint
    print(rank, world_size, model)


def fixed_worker(rank):
    Net().cuda(rank)  #: GPU202


def derived_worker(rank, args):
    Net().to("cuda")  #: GPU202 hint


def train(model):
    for batch in range(10):
        model(torch.randn(4, 8).cuda())  #: GPU202 same


def launch(args):
    ngpus_per_node = torch.cuda.device_count()
    mp.spawn(derived_worker, nprocs=ngpus_per_node, args=(args,))
    torch.cuda.synchronize()  #: GPU202 hint


def launch_fixed():
    mp.spawn(fixed_worker, nprocs=4)
    torch.cuda.synchronize()  #: GPU202 same


if __name__ == "__main__":
    mp.spawn(worker, args=(torch.cuda.device_count(),), nprocs=torch.cuda.device_count())
