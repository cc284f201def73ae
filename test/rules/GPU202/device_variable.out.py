"""`.cuda()` and `"cuda"` where a device is at hand already."""
import torch
from torch import nn

torch_device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def module_level(x):
    return x.to(device), x.to(device), torch.zeros(2, device=device)


def parameter(x, device):
    return x.to(device)


def parameter_on_the_cpu(x, device="cpu"):
    return x.to(torch_device)


def local(x):
    dev = "cuda" if torch.cuda.is_available() else "cpu"
    return x.to(dev) + x.to(dev)


def local_on_the_cpu(x):
    device = torch.device("cpu")
    return x.to(torch_device) - x.to(device).to(torch_device)


def local_of_a_tensor(x, y):
    device = y.device
    return x.to(torch_device).to(device)


def local_of_a_model(x, model):
    device = next(model.parameters()).device
    return model(x.to(device)).to(device)


def pinned(x):
    device = torch.device("cuda:1" if torch.cuda.device_count() > 1 else "cpu")
    return x.to(torch_device), x.to(device)


def chosen(x):
    return x.to(device), x.to(device)


class Agent(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.device = device
        self.noise = torch.zeros(4).to(device)

    def act(self, state):
        return state.to(self.device) + self.noise


class Policy(nn.Module):
    def act(self, state):
        return state.to(device)
