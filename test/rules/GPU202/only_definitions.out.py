"""Only functions and classes: whoever imports them may still choose what CUDA sees."""
import torch
from torch import nn

EPSILON = 1e-6
LOSSES = {"l1": nn.L1Loss, "l2": nn.MSELoss}


def distances(rows):
    """Between all pairs."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    rows = rows.to(device)
    return torch.cdist(rows, rows).to(device) + EPSILON


def outer(rows):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    def inner(row):
        return row.to(device)

    return [inner(row) for row in rows]


class Criterion:
    def __init__(self, name):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.loss = LOSSES[name]().to(device)

    def __call__(self, result, target):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return self.loss(result, target.to(device))


def paint(image):
    image = image.float()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    # Above this comment.
    # And this.
    image = image.to(device)
    return image
