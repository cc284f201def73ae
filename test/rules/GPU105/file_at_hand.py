"""The file is there, and its names say how its model was wrapped."""
import torch
from torch import nn


class Net(nn.Module):
    pass


model = Net()
model.load_state_dict(torch.load("parallel.pt", map_location="cpu"))  #: GPU105
model.load_state_dict(torch.load("parallel_entry.pt", map_location="cpu")["model"])  #: GPU105
model.load_state_dict(torch.load("compiled.pt", map_location="cpu"), strict=False)  #: GPU105
nn.DataParallel(model).load_state_dict(torch.load("parallel.pt", map_location="cpu"))
nn.DataParallel(model).load_state_dict(torch.load("compiled.pt", map_location="cpu"))  #: GPU105
torch.compile(model).load_state_dict(torch.load("compiled.pt", map_location="cpu"))
model.load_state_dict(torch.load("partly.pt", map_location="cpu"))
model.load_state_dict(torch.load("torch/cpu.pt", map_location="cpu"))
nn.DataParallel(model).load_state_dict(torch.load("torch/cpu.pt", map_location="cpu"))
try:
    model.load_state_dict(torch.load("parallel.pt", map_location="cpu"))
except RuntimeError:
    nn.DataParallel(model).load_state_dict(torch.load("parallel.pt", map_location="cpu"))
