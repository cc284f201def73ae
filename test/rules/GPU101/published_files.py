"""Files that torchvision publishes were saved from the CPU; others may have been saved from anywhere."""
import torch
from torch import nn
from torchvision.models import resnet18

net = resnet18()
net.load_state_dict(torch.load("weights/resnet18-5c106cde.pth"))  #: GPU101 hint
net.load_state_dict(torch.load("weights/resnet18-tuned.pth"))  #: GPU101
