"""In a file that offers the CPU, a load is reported beside code that forgets it."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def paint(path, picture):
    net = nn.Conv2d(3, 3, 1)
    net.load_state_dict(torch.load(path))  #: GPU101
    net.cuda()  #: GPU202
    return net(picture.to(device))
