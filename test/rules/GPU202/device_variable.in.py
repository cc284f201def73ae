"""`.cuda()` and `"cuda"` where a device is at hand already."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def module_level(x):
    return x.cuda(), x.to("cuda"), torch.zeros(2, device="cuda")


def parameter(x, device):
    return x.cuda()


def parameter_on_the_cpu(x, device="cpu"):
    return x.cuda()


def local(x):
    dev = "cuda" if torch.cuda.is_available() else "cpu"
    return x.cuda() + x.to(dev)


def local_on_the_cpu(x):
    device = torch.device("cpu")
    return x.cuda() - x.to(device).cuda()


def local_of_a_tensor(x, y):
    device = y.device
    return x.cuda().to(device)


def local_of_a_model(x, model):
    device = next(model.parameters()).device
    return model(x.cuda()).to(device)


def pinned(x):
    device = torch.device("cuda:1" if torch.cuda.device_count() > 1 else "cpu")
    return x.cuda(), x.to(device)


def chosen(x):
    return x.cuda(device), x.cuda(torch.device("cuda" if torch.cuda.is_available() else "cpu"))


class Agent(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.device = device
        self.noise = torch.zeros(4).cuda()

    def act(self, state):
        return state.cuda() + self.noise


class Policy(nn.Module):
    def act(self, state):
        return state.cuda()
