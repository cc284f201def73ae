# fails: AssertionError: Torch not compiled with CUDA enabled
"""A switch guards one branch; the other moves all the same, and what follows goes with it."""
import torch
from torch import nn

settings = {"gpu_train": True, "cards": 1, "size": 32}
net = nn.Linear(settings["size"], 2)
if settings["cards"] > 1 and settings["gpu_train"]:
    net = nn.DataParallel(net).cuda()
else:
    net = net.cuda()
grid = torch.linspace(0, 1, settings["size"]).cuda()
print(net(torch.rand(4, settings["size"]).cuda() * grid).shape)
