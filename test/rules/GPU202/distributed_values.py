"""A value that is assigned in distributed code says nothing of GPUs by itself."""
import torch.distributed as dist


def setup(args):
    dist.init_process_group("nccl")  #: GPU202
    args.verbose = args.level > 1
    args.model.cuda()  #: GPU202 hint


def train(model, args):
    if args.verbose:
        model.cuda()  #: GPU202 same
