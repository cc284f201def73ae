#: facts {"torchVersion": "1.12.1"}
"""There is no such parameter yet."""
import torch

state = torch.load("a.pt", map_location="cpu")
