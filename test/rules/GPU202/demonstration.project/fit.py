"""A script that nothing imports runs what is below its test."""
import torch
from sparse_loss import sparse_loss

if __name__ == "__main__":
    print(sparse_loss(torch.rand(4).cuda(), torch.rand(4)))  #: GPU202
