"""Evidence that `weights_only=True` loads the file: the file itself, another place that does, or what is saved there."""
import os

import torch

BEST = "checkpoints/best.pt"


def at_hand():
    return torch.load("torch/cuda3.pth", map_location="cpu", weights_only=False)  #: GPU102


def elsewhere():
    first = torch.load(BEST, map_location="cpu", weights_only=True)
    second = torch.load("checkpoints/best.pt", map_location="cpu", weights_only=False)  #: GPU102
    other = torch.load("checkpoints/other.pt", map_location="cpu", weights_only=False)  #: GPU102 hint
    return first, second, other


def own_state(model, optimizer, folder, epoch, args):
    path = os.path.join(folder, "state.pt")
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)
    state = torch.load(path, map_location="cpu", weights_only=False)  #: GPU102
    torch.save({"model": model.state_dict(), "args": args}, "with_arguments.pt")
    more = torch.load("with_arguments.pt", map_location="cpu", weights_only=False)  #: GPU102 hint
    return state, more


def decided():
    # The file holds NumPy's random state, which weights_only refuses.
    commented = torch.load("torch/cuda3.pth", map_location="cpu", weights_only=False)  #: GPU102 hint
    try:
        tried = torch.load("torch/cuda3.pth", map_location="cpu", weights_only=True)
    except Exception:
        tried = torch.load("torch/cuda3.pth", map_location="cpu", weights_only=False)  #: GPU102 hint
    return commented, tried


def chosen(kind, path):
    if kind == "old":
        return torch.load(path, map_location="cpu", weights_only=False)  #: GPU102 hint
    return torch.load(path, map_location="cpu", weights_only=True)


def one_report_a_call(model):
    torch.save(model.state_dict(), "weights.pt")
    return model


def one_report_a_call_again(model):
    model.load_state_dict(torch.load("weights.pt", weights_only=False))  #: GPU102, GPU101 hint
    torch.load(BEST, map_location="cpu", weights_only=True)
    return torch.load(BEST, weights_only=False)  #: GPU101, GPU102 hint
