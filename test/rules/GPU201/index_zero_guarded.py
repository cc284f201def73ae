"""Index 0 under a guard is a hint: it works, on machines where the first GPU is the one to use."""
import argparse
import sys

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
parser.add_argument("--no-cuda", action="store_true")
args = parser.parse_args()

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")  #: GPU201 hint
name = "cuda:0" if torch.cuda.is_available() else "cpu"  #: GPU201 hint
chosen = torch.device("cuda:0") if args.cuda else torch.device("cpu")  #: GPU201 hint
model = nn.Linear(4, 2).to(device).to(name).to(chosen)

if torch.cuda.is_available():
    model.cuda(0)  #: GPU201 hint
    torch.cuda.set_device(0)  #: GPU201 hint
else:
    model.to("cpu")

model.to("cuda:0")  #: GPU201


def negated():
    if not torch.cuda.is_available():
        return torch.device("cpu")
    return torch.device("cuda:0")  #: GPU201 hint


def switched(x):
    if args.cuda:
        x = x.cuda(0)  #: GPU201 hint
    return x


def not_opted_out(x):
    if not args.no_cuda:
        x = x.to("cuda:0")  #: GPU201 hint
    return x


def derived(x):
    use_cuda = torch.cuda.is_available() and not args.no_cuda
    return x.to("cuda:0" if use_cuda else "cpu")  #: GPU201 hint


def named(x, device):
    if device.type == "cuda":
        x = x.to("cuda:0")  #: GPU201 hint
    if str(device) == "cuda:0":
        x = x.to("cuda:0")  #: GPU201 hint
    return x


def exits(x):
    if not torch.cuda.is_available():
        sys.exit("no GPU")
    return x.cuda(0)  #: GPU201 hint


def asserted(x):
    assert torch.cuda.is_available()
    return x.to("cuda:0")  #: GPU201 hint


def handled(x):
    try:
        return x.to("cuda:0")  #: GPU201 hint
    except RuntimeError:
        return x


def raised_again(x):
    try:
        return x.to("cuda:0")  #: GPU201
    except RuntimeError as error:
        raise ValueError("no GPU") from error


def helper(x):
    return x.cuda(0)  #: GPU201 hint


def caller(x):
    if torch.cuda.is_available():
        x = helper(x)
    return x


def used_under_guard(x):
    target = "cuda:0"  #: GPU201 hint
    if torch.cuda.is_available():
        x = x.to(target)
    return x


def unrelated(x, verbose):
    if verbose:
        x = x.to("cuda:0")  #: GPU201
    return x


def wrong_side(x):
    return x if torch.cuda.is_available() else x.cuda(0)  #: GPU201
