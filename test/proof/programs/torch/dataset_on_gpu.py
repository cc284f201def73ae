# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""The tensors of the dataset were on the GPU when they were saved; the model is brought to them."""
import torch
from torch import nn

inputs, labels = torch.load("checkpoints/dataset.pt")
model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2)).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    order = torch.randperm(len(inputs)).cuda()
    loss = nn.functional.cross_entropy(model(inputs[order]), labels[order])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
