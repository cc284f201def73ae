# fails: AssertionError: Torch not compiled with CUDA enabled
"""torch.autocast names the device too, but only selects a policy."""
import torch
from torch import nn

net = nn.Sequential(nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, 3)).to("cuda")
x = torch.rand(4, 6, device="cuda")
with torch.autocast("cuda"):
    out = net(x)
print(out.float().softmax(-1).sum().item())
