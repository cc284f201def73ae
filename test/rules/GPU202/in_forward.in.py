"""In a module the device is where its input is."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Recurrent(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.inner = nn.LSTM(size, size)
        self.outer = nn.Linear(size, size)

    def forward(self, x, lengths):
        hidden = torch.zeros(1, x.size(0), 8).cuda()
        cell = torch.zeros(1, x.size(0), 8, device="cuda")
        x, _ = self.inner(x, (hidden, cell))
        return self.outer(x)


class Moving(Recurrent):
    def __init__(self, size):
        super().__init__(size)
        self.first = nn.Conv1d(size, size, 1)

    def forward(self, x):
        return self.first(x.cuda())


class WithoutWeights(nn.Module):
    def forward(self, x):
        return x.cuda() * 2

    def keep(self, x, where):
        return x.to(where), torch.zeros(2).cuda()


def dice(prediction, target):
    ones = torch.ones(target.size(0)).cuda()
    flat = prediction.view(target.size(0), -1)
    return (flat * target.view(target.size(0), -1)).sum(1) / (ones + target.sum())


def one_hot(labels, classes):
    rows = torch.zeros(len(labels), classes, device="cuda")
    return rows.scatter_(1, labels.view(-1, 1), 1.0)


def noise(shape):
    return torch.randn(shape).cuda()


def unrelated(target):
    target = target.float()
    return torch.randn(target.size(0)).cuda()
