"""What a test starts governs nothing below the test: a laptop runs the rest."""
import argparse
import os

import torch
import torch.distributed as dist

from models import Net


def main(args):
    if args.distributed:
        dist.init_process_group("nccl")  #: GPU202 hint
        torch.cuda.set_device(args.local_rank)  #: GPU202 hint
    model = Net().cuda()  #: GPU202
    stream = torch.cuda.Stream()  #: GPU202 same
    if args.distributed:
        dist.barrier()
    return model, stream


def launched():
    if "LOCAL_RANK" in os.environ:
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))  #: GPU202 hint
    return Net().cuda()  #: GPU202 same


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", default=os.environ.get("LOCAL_RANK", 0))
    return Net().cuda(), parser  #: GPU202 same


def handled():
    try:
        dist.init_process_group("nccl")  #: GPU202 hint
    except ValueError:
        print("one process")
    return Net().cuda()  #: GPU202 same
