"""A loop variable that takes "cuda" and is used as a device."""
import time

import torch


def benchmark(fn, size):
    for device in ["cpu", "cuda"]:  #: GPU202
        x = torch.randn(size, device=device)
        start = time.perf_counter()
        fn(x)
        print(device, time.perf_counter() - start)


def benchmark_tuple(fn, size):
    for name in ("cuda", "cpu"):  #: GPU202 same
        fn(torch.randn(size).to(name))


def benchmark_named(fn, size):
    devices = ["cpu", "cuda"]  #: GPU202 same
    for device in devices:
        fn(torch.randn(size, device=device))


def benchmark_available(fn, size):
    devices = ["cpu"]
    if torch.cuda.is_available():
        devices.append("cuda")
    for device in devices:
        fn(torch.randn(size, device=device))


def benchmark_conditional(fn, size):
    devices = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]
    for device in devices:
        fn(torch.randn(size, device=device))


def benchmark_skipping(fn, size):
    for device in ["cpu", "cuda"]:
        if device == "cuda" and not torch.cuda.is_available():
            continue
        fn(torch.randn(size, device=device))


def comprehension(model):
    return [model.to(device) for device in ("cpu", "cuda")]  #: GPU202 same


def only_printed():
    for backend in ["cpu", "cuda", "mps"]:
        print(f"{backend}: {getattr(torch.backends, backend, None)}")
