# fails: AssertionError: Torch not compiled with CUDA enabled
"""Keeps a moving average while training."""
import copy

import torch

from networks import Autoencoder

student = Autoencoder().cuda()
teacher = copy.deepcopy(student).cuda()
optimizer = torch.optim.Adam(student.parameters())


@torch.no_grad()
def update_teacher(momentum=0.99):
    for s, t in zip(student.parameters(), teacher.parameters()):
        t.mul_(momentum).add_(s, alpha=1 - momentum)


for _ in range(3):
    batch = torch.rand(16, 6).cuda()
    loss = (student(batch) - teacher(batch).detach()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    update_teacher()
print("done", loss.item() >= 0)
