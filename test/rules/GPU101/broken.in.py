import torch

model = torch.load("net.pt")


def load(path):
    state = torch.load(path)
    return state


rest = print(torch.load("rest.pt"
