# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""Saved on cuda:3, brought to the first GPU."""
import torch

from networks import Classifier

state = torch.load(
    "checkpoints/classifier_gpu3.pth",
    map_location="cuda:0",  # the workstation has one
)
net = Classifier()
net.load_state_dict(state)
print(sum(p.numel() for p in net.parameters()), "parameters")
