"""The "not opted out" side of an opt-out makes a hint of what it encloses."""
import argparse
import sys

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true", default=False, help="disables CUDA training")
parser.add_argument("--cpu", action="store_true")
parser.add_argument("--disable_cuda", action="store_true")
args = parser.parse_args()

model = nn.Linear(4, 2)
if not args.no_cuda:
    model.cuda()  #: GPU202 hint
if not args.cpu:
    model.cuda()  #: GPU202 hint
if args.disable_cuda:
    device = torch.device("cpu")
else:
    device = torch.device("cuda")  #: GPU202 hint
other = torch.device("cpu" if args.cpu else "cuda")  #: GPU202 hint
model = model.to(device)


def both(batch):
    # The availability test makes it quiet.
    if not args.no_cuda and torch.cuda.is_available():
        batch = batch.cuda()
    return batch


def opted_out(batch):
    if args.no_cuda:
        batch = batch.cuda()  #: GPU202
    return batch


def leaves(batch):
    if args.cpu:
        return batch
    return batch.cuda()  #: GPU202 hint


def stops(batch):
    if args.no_cuda:
        sys.exit("nothing to do")
    torch.cuda.synchronize()  #: GPU202 hint
    return batch.to("cuda")  #: GPU202 hint


def derived(batch):
    use_cuda = not args.no_cuda
    if use_cuda:
        batch = batch.cuda()  #: GPU202 hint
    usable = not args.no_cuda and torch.cuda.is_available()
    if usable:
        batch = batch.cuda()
    return batch


def on_cpu(batch, use_cpu=False):
    if use_cpu:
        batch = batch.cpu()
    else:
        batch = batch.cuda()  #: GPU202 hint
    return batch
