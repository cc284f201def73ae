import torch

device = "cpu"


def move(x):
    torch_device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return x.to(torch_device)


def other(x, torch_device):
    return x.to(torch_device), x.to(torch_device)
