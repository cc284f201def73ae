# fails: AssertionError
# stays: the program requires a GPU and exits without one, which is a guard
"""Upscales images, on a GPU only."""
import torch
import torch.nn as nn

assert torch.cuda.is_available()

upscale = nn.Sequential(nn.Conv2d(3, 12, 3, padding=1), nn.PixelShuffle(2)).cuda()
print(upscale(torch.rand(1, 3, 8, 8).cuda()).shape)
