"""A file that the program wrote itself a moment ago was saved on this machine."""
import copy
import io
import os

import torch

BEST = "checkpoints/best.pt"
folder = os.environ["RUN_FOLDER"]


def train(model, loader, epochs, run):
    last = torch.load(os.path.join(folder, "last.pt"))  #: GPU101
    model.load_state_dict(last)
    for epoch in range(epochs):
        torch.save(model.state_dict(), os.path.join(folder, "last.pt"))
        torch.save(model.state_dict(), BEST)
        torch.save({"epoch": epoch}, f"{run}/epoch.pt")
        torch.save(model.state_dict(), "checkpoints/initial.pt")
    return model


def test(model, run):
    model.load_state_dict(torch.load(BEST))  #: GPU101 hint
    model.load_state_dict(torch.load("checkpoints/best.pt"))  #: GPU101 hint
    model.load_state_dict(torch.load(os.path.join(folder, "last.pt")))  #: GPU101 hint
    epoch = torch.load(f"{run}/epoch.pt")["epoch"]  #: GPU101 hint
    initial = torch.load("checkpoints/initial.pt", weights_only=True)  #: GPU101 hint
    teacher = torch.load("checkpoints/teacher.pt")  #: GPU101
    other = torch.load(os.path.join(folder, "first.pt"))  #: GPU101
    return epoch, initial, teacher, other


def copy_through_memory(model):
    buffer = io.BytesIO()
    torch.save(model, buffer)
    buffer.seek(0)
    return torch.load(buffer)  #: GPU101 hint


def copy_from_memory(model, received):
    expected = copy.deepcopy(model)
    return expected, torch.load(received)  #: GPU101


def export(model, example):
    scripted = torch.jit.trace(model, example)
    torch.jit.save(scripted, "traced.pt")
    scripted.save("scripted.pt")
    first = torch.jit.load("traced.pt")  #: GPU101 hint
    second = torch.jit.load("scripted.pt")  #: GPU101 hint
    third = torch.jit.load("exported.pt")  #: GPU101
    return first, second, third
