#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
"""Whoever counts the devices knows."""
import torch

if torch.cuda.device_count() > 1:
    model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201 hint
device = "cuda:1" if torch.cuda.device_count() >= 2 else "cuda:0"  #: GPU201, GPU201 hint
model.to(device)
n_gpus = torch.cuda.device_count()
if n_gpus >= 3:
    torch.cuda.set_device(2)  #: GPU201 hint
assert torch.cuda.device_count() == 2
model.cuda(1)  #: GPU201 hint
