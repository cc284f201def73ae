# fails: AssertionError: Torch not compiled with CUDA enabled
"""Resumes with everything on the GPU."""
import torch
from torch import nn, optim

from networks import Classifier

CHECKPOINT = "checkpoints/resume.pth.tar"

net = Classifier()
net.cuda()
optimizer = optim.Adam(net.parameters())
criterion = nn.CrossEntropyLoss().cuda()

state = torch.load(CHECKPOINT)
net.load_state_dict(state["model"])
optimizer.load_state_dict(state["optimizer"])

for epoch in range(state["epoch"], state["epoch"] + 2):
    inputs = torch.rand(4, 1, 8, 8).cuda()
    targets = torch.randint(0, 5, (4,)).cuda()
    optimizer.zero_grad()
    loss = criterion(net(inputs), targets)
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())

torch.save({"epoch": epoch, "model": net.state_dict(), "optimizer": optimizer.state_dict()}, "latest.pth.tar")
