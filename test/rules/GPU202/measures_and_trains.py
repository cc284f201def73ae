"""A clock in a training loop makes no benchmark of it; a function that only measures is one."""
import time

import torch


def train(model, loader, optimizer):
    for batch in loader:
        start = time.time()
        loss = model(batch.cuda()).sum()  #: GPU202
        loss.backward()
        optimizer.step()
        torch.cuda.synchronize()  #: GPU202 same
        print(time.time() - start)


def throughput(model, batch):
    batch = batch.cuda()  #: GPU202 hint
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))  #: GPU202 hint
    start.record()
    model(batch)
    end.record()
    torch.cuda.synchronize()  #: GPU202 hint
    return start.elapsed_time(end)


def measured(model):
    return train(model.cuda(), [], None)  #: GPU202 same
