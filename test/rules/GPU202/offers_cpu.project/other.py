"""Nothing that runs this, or that this runs, offers the CPU."""
import torch

print(torch.ones(2).cuda())  #: GPU202
