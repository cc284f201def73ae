import torch

model = torch.load("net.pt", map_location="cpu")


def load(path):
    state = torch.load(path, map_location="cpu")
    return state


rest = print(torch.load("rest.pt"
