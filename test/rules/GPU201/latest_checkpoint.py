"""A file whose name only begins like a test is none, and a folder called latest is none."""
import torch


def newest(paths):
    best = max(paths)
    return torch.load(best, map_location="cuda:0")  #: GPU201


def resume(paths, model):
    model.load_state_dict(newest(paths)["model"])
    return model.to("cuda:0")  #: GPU201
