# fails: AssertionError: Torch not compiled with CUDA enabled
"""The name device is something else here."""
import torch


class Sensor:
    def __init__(self, device):
        self.device = device


device = Sensor("/dev/video0")
frame = torch.rand(3, 4, 4).cuda()
edges = torch.nn.Conv2d(3, 1, 3).cuda()(frame.unsqueeze(0))
print(device.device, edges.shape)
