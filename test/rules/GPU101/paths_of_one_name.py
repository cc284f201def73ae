"""Two functions may call different files by one name."""
import os

import torch


def train(model, folder, epoch):
    PATH = os.path.join(folder, f"{epoch}.pt")
    torch.save(model.state_dict(), PATH)


def test(model, folder):
    PATH = os.path.join(folder, "published.pt")
    model.load_state_dict(torch.load(PATH))  #: GPU101


def again(model, folder, epoch):
    PATH = os.path.join(folder, f"{epoch}.pt")
    model.load_state_dict(torch.load(PATH))  #: GPU101 hint
