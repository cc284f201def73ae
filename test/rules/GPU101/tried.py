"""Attempts to load, and what follows when they fail."""
import torch


def fails_again(model, path):
    try:
        model.load_state_dict(torch.load(path))  #: GPU101
    except Exception:
        model.inner.load_state_dict(torch.load(path))  #: GPU101


def handled(model, path):
    try:
        model.load_state_dict(torch.load(path))  #: GPU101 hint
    except Exception:
        model.reset()


def in_either_branch(model, train, device):
    if train:
        torch.save(model.state_dict(), "either.pt")
        print("saved")
    else:
        model.to(device)
        model.load_state_dict(torch.load("either.pt"))  #: GPU101
