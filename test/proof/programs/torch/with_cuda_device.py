# fails: AssertionError: Torch not compiled with CUDA enabled
# stays: it names the second GPU
"""A block on a GPU of its own."""
import torch

x = torch.rand(3, 3)
with torch.cuda.device(1):
    y = x.cuda()
    z = (y @ y).cpu()
print(z.trace().item())
