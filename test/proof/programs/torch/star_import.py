# fails: AssertionError: Torch not compiled with CUDA enabled
"""Everything from torch."""
from torch import *
from torch.nn import Linear

layer = Linear(2, 3).cuda()
x = ones(4, 2).cuda()
print(layer(x).sum(dim=0).shape)
