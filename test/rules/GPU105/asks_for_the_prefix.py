"""The program looks at the names."""
import torch
from torch import nn

model = nn.Linear(2, 2)
state = torch.load("parallel.pt", map_location="cpu")
if next(iter(state)).startswith("module."):
    model = nn.DataParallel(nn.Linear(2, 2))
    model.load_state_dict(state)
else:
    model.load_state_dict(state)
