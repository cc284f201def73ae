# fails: AssertionError: Torch not compiled with CUDA enabled
# stays: its GPUs work together, so the author must decide
"""A network in two halves on two GPUs."""
import torch
import torch.nn as nn


class TwoHalves(nn.Module):
    def __init__(self):
        super().__init__()
        self.bottom = nn.Linear(6, 10).to("cuda:0")
        self.top = nn.Linear(10, 3).to("cuda:1")

    def forward(self, x):
        x = torch.relu(self.bottom(x.to("cuda:0")))
        return self.top(x.to("cuda:1"))


net = TwoHalves()
labels = torch.tensor([0, 2]).to("cuda:1")
loss = nn.functional.cross_entropy(net(torch.rand(2, 6)), labels)
loss.backward()
print(loss.item())
