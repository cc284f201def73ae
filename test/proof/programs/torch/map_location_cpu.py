# runs: the checkpoint is loaded to the CPU
import torch

from networks import Discriminator

for location in ("cpu", torch.device("cpu"), {"cuda:0": "cpu"}):
    net = Discriminator()
    net.load_state_dict(torch.load("checkpoints/netD_epoch_24.pth", map_location=location))
options = {"map_location": "cpu"}
print(len(torch.load("checkpoints/gan.pt", **options)))
