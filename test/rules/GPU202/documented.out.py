"""Helpers of the notebooks."""

import torch

def move(batch):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return [each.to(device) for each in batch]
