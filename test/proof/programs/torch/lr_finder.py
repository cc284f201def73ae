# fails: AssertionError: Torch not compiled with CUDA enabled
# stays: the forwarded arguments may already name a device
"""Looks for a learning rate; one helper for all batches."""
import torch
from torch import nn


def to_gpu(x, *args, **kwargs):
    return x.cuda(*args, **kwargs)


model = to_gpu(nn.Linear(4, 1))
x, y = to_gpu(torch.rand(32, 4)), to_gpu(torch.rand(32, 1))
for exponent in range(-4, 0):
    optimizer = torch.optim.SGD(model.parameters(), lr=10 ** exponent)
    loss = (model(x) - y).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(10 ** exponent, loss.item())
