# fails: AssertionError: Torch not compiled with CUDA enabled
"""An editor put a mark before the first character."""
import torch

x = torch.full((2, 2), 0.5).cuda()
print(torch.det(x).item())
