#: facts {"torchVersion": "2.10.0", "torchRequirement": ">=2.0"}
import torch

state = torch.load("a.pt", map_location="cpu")
other = torch.load("b.pt", map_location="cpu", weights_only=False)  #: GPU102 hint
