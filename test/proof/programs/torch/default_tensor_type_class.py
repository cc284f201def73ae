# fails: TypeError: type torch.cuda.FloatTensor not available
# stays: only the author knows which type takes the place of a tensor type of CUDA
"""The same with the class in place of its name."""
import torch
from torch import nn

torch.set_default_tensor_type(torch.cuda.FloatTensor)
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
coordinates = torch.rand(7, 3)
print("density", model(coordinates).mean().item())
