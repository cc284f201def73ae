"""Helpers of the notebooks."""

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

def move(batch):
    return [each.to(device) for each in batch]
