# fails: AssertionError: Torch not compiled with CUDA enabled
"""A physics-informed network for u' = -u."""
import numpy as np
import torch
import torch.nn as nn

net = nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Linear(10, 1)).cuda()
t = torch.from_numpy(np.linspace(0, 1, 20, dtype=np.float32)).view(-1, 1).cuda().requires_grad_(True)
zero = torch.zeros(1, 1).cuda()
optimizer = torch.optim.LBFGS(net.parameters(), max_iter=5)


def closure():
    optimizer.zero_grad()
    u = net(t)
    du = torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]
    loss = ((du + u) ** 2).mean() + (net(zero) - 1).pow(2).mean()
    loss.backward()
    return loss


print(optimizer.step(closure).item())
