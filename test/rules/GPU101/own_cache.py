"""A cache: the file is read where it is there, and else computed and saved, from the CPU."""
import os

import numpy as np
import torch
from torch import nn


def distances(folder, points):
    path = os.path.join(folder, "distances.pt")
    if os.path.exists(path):
        table = torch.load(path)  #: GPU101 hint
    else:
        table = torch.from_numpy(np.asarray(points)).float().sqrt()
        torch.save(table, path)
    return table


def tokens(lines, cache="tokens.pt"):
    if os.path.isfile("tokens.pt"):
        return torch.load("tokens.pt")  #: GPU101 hint
    found = []
    for line in lines:
        found.append(torch.tensor([len(word) for word in line.split()]))
    torch.save(found, "tokens.pt")
    return found


def from_gpu(model, images, device):
    if os.path.exists("encoded.pt"):
        return torch.load("encoded.pt")  #: GPU101
    encoded = model(images.to(device))
    torch.save(encoded, "encoded.pt")
    return encoded


def brought_back(model, images):
    if os.path.exists("brought_back.pt"):
        return torch.load("brought_back.pt")  #: GPU101 hint
    encoded = model(images.cuda()).cpu()
    torch.save(encoded, "brought_back.pt")
    return encoded


def train(loader, device):
    """Resumes what an earlier run saved from its GPU."""
    model = nn.Linear(2, 2)
    model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    if os.path.exists("last.pt"):
        state = torch.load("last.pt")  #: GPU101
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
    for _ in loader:
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, "last.pt")
        torch.save(model.state_dict(), "best.pt")
    model.load_state_dict(torch.load("best.pt"))  #: GPU101 hint
    return model


def test():
    model = nn.Linear(2, 2)
    model.load_state_dict(torch.load("best.pt"))  #: GPU101
    return model


def statistics(rows, read):
    """Nothing in here moves anything to a GPU, whatever `read` returns."""
    path = "statistics.pt"
    if os.path.isfile(path):
        mean = torch.load(path)  #: GPU101 hint
    else:
        found = [read(row) for row in rows]
        mean = sum(found) / len(found)
        torch.save(mean, path)
    return mean


def statistics_of(rows, read, device):
    path = "statistics_of.pt"
    if os.path.isfile(path):
        mean = torch.load(path)  #: GPU101
    else:
        found = [read(row, device) for row in rows]
        mean = sum(found) / len(found)
        torch.save(mean, path)
    return mean
