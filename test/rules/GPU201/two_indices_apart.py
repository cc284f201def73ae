"""Two indices in one file, or one function, whose devices have nothing to do with each other."""
import torch
from torch import nn


def train(batch):
    net = nn.Linear(4, 4).to("cuda:0")  #: GPU201
    return net(batch.to("cuda:0"))  #: GPU201 hint


def evaluate(batch):
    net = nn.Linear(4, 4).to("cuda:1")  #: GPU201
    return net(batch.to("cuda:1"))  #: GPU201 hint


def either(batch, flag):
    if flag:
        batch = batch.to("cuda:0")  #: GPU201
    else:
        batch = batch.to("cuda:1")  #: GPU201
    return batch * 2


def moved(model):
    model = model.to("cuda:0")  #: GPU201
    print(model)
    return model.to("cuda:1")  #: GPU201


def shown(a, b):
    a, b = a.cuda(0), b.cuda(2)  #: GPU201, GPU201
    print(a, b)
