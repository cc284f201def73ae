# fails: AssertionError: Torch not compiled with CUDA enabled
"""The device is chosen, but only after it is needed."""
import torch

points = torch.rand(5, 2).cuda()
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
center = torch.zeros(2, device=device)
print((points - center).norm(dim=1).max().item())
