"""Waiting for a stream between two looks at the clock measures a GPU."""
import time

import torch


def seconds(model, x):
    start = time.perf_counter()
    model(x.cuda())  #: GPU202 hint
    torch.cuda.current_stream().synchronize()  #: GPU202 hint
    return time.perf_counter() - start


def run(model, x):
    torch.cuda.current_stream().synchronize()  #: GPU202
    return model(x)
