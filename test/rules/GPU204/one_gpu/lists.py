#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
"""A list that is used as a whole, and one of which something is picked."""
import torch
from torch import nn

model = nn.DataParallel(nn.Linear(2, 2), device_ids=[0, 1])  #: GPU201 hint, GPU201 hint, GPU204
devices = ["cuda:0", "cuda:1"]  #: GPU201 hint, GPU201 hint
for device in devices:
    model.to(device)
model.to(devices[0])
