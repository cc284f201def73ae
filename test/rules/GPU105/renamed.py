"""The names are changed on the way."""
import torch
from torch import nn

model = nn.DataParallel(nn.Linear(2, 2))
torch.save(model.state_dict(), "parallel.pt")
state = torch.load("parallel.pt", map_location="cpu")
bare = nn.Linear(2, 2)
bare.load_state_dict({key.replace("module.", ""): value for key, value in state.items()})
other = nn.Linear(2, 2)
other.load_state_dict(state)
