# fails: AssertionError: Torch not compiled with CUDA enabled
"""The name torch itself is not imported."""
import torch.nn as nn
from torch.optim import SGD
from torch.utils.data import DataLoader

net = nn.Linear(3, 1).cuda()
optimizer = SGD(net.parameters(), lr=0.1)
rows = [[0.0, 1.0, 2.0], [1.0, 1.0, 0.0]]
for batch in DataLoader(rows, batch_size=2, collate_fn=lambda items: items):
    x = net.weight.new_tensor(batch)
    loss = net(x.cuda()).pow(2).mean()
    loss.backward()
    optimizer.step()
print(loss.item())
