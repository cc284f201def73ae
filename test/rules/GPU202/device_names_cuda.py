"""A test that a device names CUDA is a guard; one that an equal device may fail is none."""
import time

import torch


def timed(fn, device):
    if device == "cuda":
        torch.cuda.synchronize()
    start = time.perf_counter()
    fn()
    if device.type == "cuda":
        torch.cuda.synchronize()
    if "cuda" in str(device):
        torch.cuda.synchronize()
    if "cuda" in device:
        torch.cuda.synchronize()
    if device.startswith("cuda"):
        torch.cuda.synchronize()
    if str(device).startswith("cuda"):
        torch.cuda.synchronize()
    if device in ("cuda", "cuda:0"):
        torch.cuda.synchronize()
    if device != "cpu":
        torch.cuda.synchronize()
    if device.type != "cpu":
        torch.cuda.synchronize()
    if "cuda" == device.type:
        torch.cuda.synchronize()
    return time.perf_counter() - start


def untimed(fn, device):
    fn(device)
    torch.cuda.synchronize()  #: GPU202


def peak_memory(device):
    if device.type == "cpu":
        return 0
    else:
        torch.cuda.reset_peak_memory_stats()
        return torch.cuda.max_memory_allocated()


def move(x):
    # `cuda:0` differs from `cuda`: this says nothing about the machine.
    if x.device != torch.device("cuda"):
        x = x.to("cuda")  #: GPU202 same
    return x


def not_cuda(x, device):
    if "cuda" not in str(device):
        x = x.cuda()  #: GPU202 same
    else:
        x = x.cuda(non_blocking=True)
    return x


def is_mps(x, device):
    if device.type == "mps":
        torch.mps.synchronize()
    else:
        torch.cuda.synchronize()  #: GPU202 same


def either(x, device):
    if device.type in ("cuda", "cpu"):
        x = x.cuda()  #: GPU202 same
    return x


def attributes(self, args, batch):
    if args.device == "cuda":
        batch = batch.cuda()
    if self.device.type == "cuda":
        batch = batch.cuda()
    if batch.device.type == "cuda":
        mask = torch.ones(4).cuda()
    return batch
