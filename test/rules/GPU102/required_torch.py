#: facts {"torchRequirement": ">=2.0,<2.6"}
import torch

state = torch.load("a.pt", map_location="cpu")  #: GPU102 hint
other = torch.load("b.pt", map_location="cpu", weights_only=True)
