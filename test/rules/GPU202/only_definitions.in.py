"""Only functions and classes: whoever imports them may still choose what CUDA sees."""
import torch
from torch import nn

EPSILON = 1e-6
LOSSES = {"l1": nn.L1Loss, "l2": nn.MSELoss}


def distances(rows):
    """Between all pairs."""
    rows = rows.cuda()
    return torch.cdist(rows, rows).cuda() + EPSILON


def outer(rows):
    def inner(row):
        return row.cuda()

    return [inner(row) for row in rows]


class Criterion:
    def __init__(self, name):
        self.loss = LOSSES[name]().cuda()

    def __call__(self, result, target):
        return self.loss(result, target.cuda())


def paint(image):
    image = image.float()
    # Above this comment.
    # And this.
    image = image.cuda()
    return image
