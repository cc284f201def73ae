# fails: AssertionError: Torch not compiled with CUDA enabled
"""Debugging lines that were never removed."""
import torch
from torch import nn

print(torch.cuda.current_device())
print('Using device:', torch.cuda.get_device_name(torch.cuda.current_device()))

m = nn.Conv1d(1, 2, 3)
signal = torch.sin(torch.linspace(0, 6.28, 32)).view(1, 1, -1)
print(m(signal).shape)
