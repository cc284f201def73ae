# runs: the failure is handled
import torch

x = torch.rand(4)
try:
    x = x.cuda()
    name = torch.cuda.get_device_name(0)
except (AssertionError, RuntimeError):
    name = "CPU"
print(name, x.sum().item())
