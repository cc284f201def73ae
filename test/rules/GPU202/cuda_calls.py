"""The functions of `torch.cuda` that raise without a GPU, one function for each."""
import time

import torch


def timed(fn):
    start = time.time()
    fn()
    torch.cuda.synchronize()  #: GPU202 hint
    return time.time() - start


def pick(rank):
    torch.cuda.set_device(rank)  #: GPU202


def pick_keyword(rank):
    torch.cuda.set_device(device=rank)  #: GPU202 same


def current():
    return torch.cuda.current_device()  #: GPU202 same


def name():
    return torch.cuda.get_device_name()  #: GPU202 same


def name_of_first():
    # Asking for a name pins nothing.
    return torch.cuda.get_device_name(0)  #: GPU202 same


def name_of_current():
    return torch.cuda.get_device_name(torch.cuda.current_device())  #: GPU202 same, GPU202 same


def memory():
    return torch.cuda.get_device_properties(0).total_memory / 2**30  #: GPU202 same


def supports_bf16():
    return torch.cuda.get_device_capability()[0] >= 8  #: GPU202 same


def supports_bf16_first():
    major, minor = torch.cuda.get_device_capability(0)  #: GPU202 same
    return major >= 8


def free_memory():
    free, total = torch.cuda.mem_get_info()  #: GPU202 same
    return free / total


def prefetch(batch):
    stream = torch.cuda.Stream()  #: GPU202 same
    with torch.cuda.stream(stream):
        return batch.to(torch.device("cpu"), non_blocking=True)


def events():
    start = torch.cuda.Event(enable_timing=True)  #: GPU202 hint
    end = torch.cuda.Event(enable_timing=True)  #: GPU202 hint
    return start, end


def wait(stream):
    torch.cuda.current_stream().wait_stream(stream)  #: GPU202 same


def record(event):
    event.record(torch.cuda.default_stream())  #: GPU202 same


def peak(fn):
    torch.cuda.reset_peak_memory_stats()  #: GPU202 same
    fn()
    return torch.cuda.max_memory_allocated() / 2**20


def with_index(batch, args):
    return batch.cuda(args.local), batch.cuda(device=args.local)  #: GPU202 same, GPU202 same


def non_blocking(batch):
    return batch.cuda(non_blocking=True)  #: GPU202 same


def async_keyword(batch):
    return batch.data.cuda(None, True)  #: GPU202 same


def receivers(self, batch):
    self.cuda()  #: GPU202 same
    self.encoder.layers[0].cuda()  #: GPU202 same
    torch.nn.Sequential(self).cuda()  #: GPU202 same
    batch["input_ids"].cuda()  #: GPU202 same
    return (batch["x"] + 1).cuda()  #: GPU202 same
