# fails: AssertionError: Torch not compiled with CUDA enabled
"""A device that is only there on one of the paths."""
import sys

import torch

verbose = len(sys.argv) > 5
if verbose:
    device = torch.device("cpu")
    print("on", device)

model = torch.nn.Linear(2, 2).cuda()
print(model(torch.ones(1, 2).cuda()).shape)
