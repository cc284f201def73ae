# fails: AssertionError: Torch not compiled with CUDA enabled
"""The index by keyword, and as a number."""
import torch
from torch import nn

model = nn.Bilinear(3, 3, 2)
model = model.cuda(device=0)
left, right = torch.rand(4, 3).cuda(device=0), torch.rand(4, 3).cuda(device="cuda:0")
print(model(left, right).shape)
