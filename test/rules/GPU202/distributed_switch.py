"""What `if args.distributed:` and `if ddp:` enclose is a hint; their other side is not."""
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--distributed", action="store_true")
parser.add_argument("--rank", type=int, default=0)
args = parser.parse_args()


def build(model):
    if args.distributed:
        torch.cuda.set_device(args.rank)  #: GPU202 hint
        model = nn.parallel.DistributedDataParallel(model.cuda())  #: GPU202 hint
    else:
        model = nn.DataParallel(model).cuda()  #: GPU202
    return model


def sync(ddp):
    if ddp:
        torch.cuda.synchronize()  #: GPU202 hint


def setup(config):
    if not config.distributed:
        device = torch.device("cpu")
    else:
        device = torch.device("cuda", config.rank)  #: GPU202 hint
    return device


def reduce_loss(loss, ddp):
    if ddp and torch.cuda.is_available():
        loss = loss.cuda()
    return loss


def unrelated(loss, verbose):
    if verbose:
        loss = loss.cuda()  #: GPU202 same
    return loss


def on_several(x, model_parallel):
    if model_parallel:
        x = x.cuda()  #: GPU202 hint
    return x
