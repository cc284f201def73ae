"""A script beside the package that does not use it: a program of its own."""
import torch

print(torch.ones(2).cuda())  #: GPU202
