"""A tensor that goes straight to NumPy was on the CPU already."""
import numpy as np
import torch


def features(path, array_path):
    straight = torch.load(path).numpy()  #: GPU101 hint
    array = torch.from_numpy(torch.load(array_path))  #: GPU101 hint
    moved = torch.load(path).cpu().numpy()  #: GPU101
    stacked = np.stack([torch.load(path).numpy() for _ in range(2)])  #: GPU101 hint
    later = torch.load(path)  #: GPU101 hint
    return straight, array, moved, stacked, later.numpy()
