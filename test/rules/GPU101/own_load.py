"""A function of the module hides the one that was imported."""
import torch
from torch import load


def before(path):
    return torch.load(path)  #: GPU101


def load(path):  # noqa: F811
    return torch.load(path, map_location="cpu")


def after(path):
    return load(path)
