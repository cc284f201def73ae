"""The file that is there was saved before the program saves it from a bare model."""
import torch
from torch import nn

model = nn.Linear(2, 2)
torch.save(model.state_dict(), "parallel.pt")
model.load_state_dict(torch.load("parallel.pt", map_location="cpu"))
