# fails: AssertionError: Torch not compiled with CUDA enabled
"""GPU 0 by its index."""
import torch
from torch import nn

DEVICE = torch.device("cuda:0")


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(5, 3)

    def forward(self, a, b):
        return nn.functional.pairwise_distance(self.embed(a), self.embed(b))


net = Siamese().to(DEVICE)
left, right = torch.rand(8, 5).to(DEVICE), torch.rand(8, 5).to(DEVICE)
same = torch.randint(0, 2, (8,)).float().to(DEVICE)
distance = net(left, right)
loss = (same * distance ** 2 + (1 - same) * (1 - distance).clamp(min=0) ** 2).mean()
loss.backward()
print(loss.item())
