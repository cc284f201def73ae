"""Moves that are kept, moves of modules, and receivers that may be anything."""
import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cpu")
net = nn.Linear(2, 2)
net.to(device)
net.half()


def kept():
    x = torch.zeros(3)
    x = x.to(device)
    y = x.cpu()
    print(x.cpu())
    return x.to(device), y


def unknown(batch, model):
    batch.to(device)
    model.cuda()


def either(flag):
    thing = torch.zeros(3) if flag else nn.Linear(1, 1)
    thing.to(device)
    if flag:
        other = torch.ones(2)
    else:
        other = nn.Linear(1, 1)
    other.to(device)


def encodings(data, tokenizer):
    for batch in DataLoader(data):
        batch.to(device)
    for texts, labels in tokenizer(data):
        texts.to(device)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.to(device)
