# runs: the wrapper passes on the location
import torch

from networks import Autoencoder


def load_checkpoint(path, map_location="cpu"):
    return torch.load(path, map_location=map_location)


net = Autoencoder()
net.load_state_dict(load_checkpoint("checkpoints/autoencoder.pth"))
print(net(torch.zeros(1, 6)).shape)
