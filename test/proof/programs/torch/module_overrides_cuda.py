# fails: AssertionError: Torch not compiled with CUDA enabled
# stays: the class overrides .cuda(), which .to() would bypass
"""A module that takes tensors along which it has not registered."""
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.scale = torch.ones(3)

    def cuda(self, device=None):
        super().cuda(device)
        self.scale = self.scale.cuda(device)
        return self

    def forward(self, x):
        return self.fc(x) * self.scale


model = Scaled().cuda()
print(model(torch.rand(2, 3).cuda()).shape)
