"""A guarded load is a hint: some GPU is there, but perhaps not the one that the file names."""
import argparse
import os
import sys
import unittest

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing as mp

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, default=None)
parser.add_argument("--no-cuda", action="store_true")
args = parser.parse_args()
use_cuda = torch.cuda.is_available() and not args.no_cuda


def availability(path):
    if torch.cuda.is_available():
        state = torch.load(path)  #: GPU101 hint
    else:
        state = torch.load(path, map_location="cpu")
    return state


def negated(path):
    if not torch.cuda.is_available():
        return torch.load(path)  #: GPU101
    else:
        return torch.load(path)  #: GPU101 hint


def in_one_expression(path):
    state = torch.load(path) if torch.cuda.is_available() else torch.load(path, map_location="cpu")  #: GPU101 hint
    return torch.cuda.device_count() > 0 and torch.load(path) or state  #: GPU101 hint


def asks_too_late(path):
    state = torch.load(path)  #: GPU101
    if torch.cuda.is_available():
        state = {name: value.cuda() for name, value in state.items()}
    return state


def asks_something_else(path, verbose):
    if verbose:
        return torch.load(path)  #: GPU101
    if os.path.exists(path):
        return torch.load(path)  #: GPU101
    return None


def names_cuda(path, device):
    if device.type == "cuda":
        return torch.load(path)  #: GPU101 hint
    if device != "cpu":
        return torch.load(path)  #: GPU101 hint
    return torch.load(path, map_location=device)


def derived(path):
    if use_cuda:
        return torch.load(path)  #: GPU101 hint
    return torch.load(path, map_location=lambda storage, location: storage)


def opted_in(path):
    if args.gpu is not None:
        return torch.load(path)  #: GPU101 hint
    return torch.load(path)  #: GPU101


def not_opted_out(path):
    if not args.no_cuda:
        return torch.load(path)  #: GPU101 hint
    return torch.load(path, map_location="cpu")


def after_an_exit(path):
    if not torch.cuda.is_available():
        sys.exit("This needs a GPU.")
    return torch.load(path)  #: GPU101 hint


def after_an_assertion(path):
    assert torch.cuda.is_available(), "This needs a GPU."
    return torch.load(path)  #: GPU101 hint


def after_a_warning(path):
    if not torch.cuda.is_available():
        print("This will not work.")
    return torch.load(path)  #: GPU101


def handled(path):
    try:
        return torch.load(path)  #: GPU101 hint
    except RuntimeError:
        return torch.load(path, map_location="cpu")


def handled_elsewhere(path):
    try:
        return torch.load(path)  #: GPU101
    except FileNotFoundError:
        return None


def handled_and_raised(path):
    try:
        return torch.load(path)  #: GPU101
    except Exception as error:
        raise ValueError(f"{path} cannot be read") from error


def handled_by_ending(path):
    try:
        return torch.load(path)  #: GPU101
    except Exception as error:
        print(error)
        sys.exit(1)


def in_the_handler(path):
    try:
        return torch.load(path, map_location="cpu", mmap=True)
    except RuntimeError:
        return torch.load(path)  #: GPU101


def only_with_a_gpu(path):
    return torch.load(path)  #: GPU101 hint


if torch.cuda.is_available():
    only_with_a_gpu("first.pt")


def with_and_without(path):
    return torch.load(path)  #: GPU101


with_and_without("second.pt")
if torch.cuda.is_available():
    with_and_without("third.pt")


@unittest.skipIf(not torch.cuda.is_available(), "needs a GPU")
class OnTheGpu(unittest.TestCase):
    def check(self):
        self.assertTrue(torch.load("reference.pt"))  #: GPU101 hint


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def check_reference():
    assert torch.load("reference.pt")  #: GPU101 hint


def join_the_group(path):
    dist.init_process_group("nccl")
    return torch.load(path)  #: GPU101 hint


def launched(path):
    rank = int(os.environ["LOCAL_RANK"])
    state = torch.load(path)  #: GPU101 hint
    return rank, state


def maybe_distributed(path, args):
    if args.distributed:
        return torch.load(path)  #: GPU101 hint
    return torch.load(path)  #: GPU101


def worker(rank, path):
    state = torch.load(path)  #: GPU101 hint
    print(rank, len(state))


if __name__ == "__main__":
    mp.spawn(worker, args=("shared.pt",), nprocs=torch.cuda.device_count())
