"""The script that runs this offers the CPU, so this place breaks what it offers."""
import torch


def step(rows, device):
    total = torch.tensor(rows, device=device)
    return total + torch.ones(2).cuda()  #: GPU202
