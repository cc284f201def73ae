# fails: AssertionError: Torch not compiled with CUDA enabled
"""The device is a string that is handed around."""
import torch
from torch import nn

device = 'cuda'


def positional(length, size):
    position = torch.arange(length, device=device).unsqueeze(1)
    scale = torch.exp(torch.arange(0, size, 2, device=device) * -0.5)
    table = torch.zeros(length, size, device=device)
    table[:, 0::2] = torch.sin(position * scale)
    table[:, 1::2] = torch.cos(position * scale)
    return table


layer = nn.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=16).to(device)
x = torch.randn(5, 2, 8).to(device) + positional(5, 8).unsqueeze(1)
print(layer(x).shape)
