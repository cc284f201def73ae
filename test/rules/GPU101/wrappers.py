"""Wrappers that pass their own map_location on, and wrappers that lose it."""
import os

import torch


def load_checkpoint(path, map_location=None):
    if not os.path.exists(path):
        raise FileNotFoundError(path)
    return torch.load(path, map_location=map_location)


def load_positional(path, map_location=None, weights_only=True):
    return torch.load(path, map_location, weights_only=weights_only)


def load_any(path, **options):
    return torch.load(path, **options)


def load_and_log(path, logger, *args, **kwargs):
    logger.info("Loading %s", path)
    return torch.load(path, *args, **kwargs)


def load_and_forget(path, map_location=None):
    return torch.load(path)  #: GPU101


class Checkpointer:
    def __init__(self, folder, device):
        self.folder = folder
        self.device = device

    def load(self, name):
        return torch.load(os.path.join(self.folder, name), map_location=self.device)

    def load_best(self):
        return torch.load(os.path.join(self.folder, "best.pt"))  #: GPU101

    def resume(self, model, optimizer):
        state = self.load("last.pt")
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        return state["epoch"]
