"""Nothing is known of the machine."""
import torch

a = torch.load("torch/cuda3.pth")
b = torch.load("torch/mps.pt")
