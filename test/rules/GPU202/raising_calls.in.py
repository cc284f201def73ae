import logging
import os

import torch
import torch as th
from torch import cuda
from torch.cuda import synchronize

log = logging.getLogger(__name__)


def statements(fn, rank, stream):
    torch.cuda.synchronize()
    start = os.times().elapsed
    fn()
    torch.cuda.synchronize()  # all kernels are done
    th.cuda.synchronize()
    cuda.synchronize()
    synchronize()
    torch.cuda.set_device(rank)
    torch.cuda.reset_peak_memory_stats(
        device=rank,
    )
    torch.cuda.current_stream().wait_stream(stream)
    for _ in range(3):
        with stream:
            torch.cuda.synchronize()
    return os.times().elapsed - start


def beside_others(rank):
    torch.cuda.synchronize(); start = os.times().elapsed
    if rank: torch.cuda.synchronize()
    timed = lambda fn: (fn(), torch.cuda.synchronize())
    run = torch.cuda.synchronize() or rank
    return start, timed, run


def values(rank):
    name = torch.cuda.get_device_name()
    print(torch.cuda.get_device_name(0), "is used")
    print("GPU: %s" % torch.cuda.get_device_name(0))
    print(f"on {torch.cuda.get_device_name(rank)!r}")
    print("on {}".format(torch.cuda.get_device_name()))
    log.info("device %s", torch.cuda.get_device_name(torch.cuda.current_device()))
    total = torch.cuda.get_device_properties(0).total_memory / 2**30
    major, minor = torch.cuda.get_device_capability()
    free, all_of_it = torch.cuda.mem_get_info()
    return name, total, major, minor, free, all_of_it


def placed(x, path):
    device = torch.cuda.current_device()
    return x.to(device), torch.load(path, map_location=device)


def numbered(folder):
    # It is a number there.
    device = torch.cuda.current_device()
    return f"{folder}/{device}.plan"


def rounded():
    return round(torch.cuda.get_device_properties(0).total_memory / 2**30, 1)


def tests(half):
    if torch.cuda.get_device_capability()[0] >= 8:
        half = torch.bfloat16
    if half and torch.cuda.get_device_capability() >= (7, 0) and torch.cuda.mem_get_info()[0] > 1:
        half = None
    supports = torch.cuda.get_device_properties(0).major >= 8
    return supports


def half_of_it(engine):
    torch.cuda.synchronize()
    engine.execute(torch.cuda.current_stream().cuda_stream)
    torch.cuda.synchronize()


def suggested(batch, event):
    stream = torch.cuda.Stream()
    start = torch.cuda.Event(enable_timing=True)
    event.record(torch.cuda.default_stream())
    return torch.cuda.current_device(), stream, start
