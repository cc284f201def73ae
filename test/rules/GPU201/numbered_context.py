"""No other word of a device is in this file."""
import torch

x = torch.zeros(3)
with torch.cuda.device(1):  #: GPU201
    x = x + 1
