# fails: AssertionError: Torch not compiled with CUDA enabled
"""A graph network with a sparse adjacency matrix."""
import torch
from torch import nn


class GraphConvolution(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(inputs, outputs))

    def forward(self, x, adjacency):
        return torch.sparse.mm(adjacency, x @ self.weight)


edges = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
adjacency = torch.sparse_coo_tensor(edges, torch.ones(4), (4, 4)).cuda()
features = torch.eye(4).cuda()
layer = GraphConvolution(4, 2).cuda()
labels = torch.tensor([0, 0, 1, 1]).cuda()
loss = nn.functional.cross_entropy(layer(features, adjacency), labels)
loss.backward()
print(loss.item())
