# fails: AssertionError: Torch not compiled with CUDA enabled
# stays: its GPUs work together, so the author must decide
"""Two models, two GPUs."""
import torch
from torch import nn

GPUS = ["cuda:0", "cuda:1"]

first = nn.Linear(4, 8).to(GPUS[0])
second = nn.Linear(8, 2).to(GPUS[1])
x = torch.rand(5, 4).to(GPUS[0])
hidden = torch.relu(first(x)).to(GPUS[1])
print(second(hidden).shape)
