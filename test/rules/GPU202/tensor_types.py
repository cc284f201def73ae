"""`torch.cuda.FloatTensor` and its kin."""
import numpy as np
import torch


def noise(n):
    return torch.cuda.FloatTensor(n, 100).normal_()  #: GPU202


def labels(batch):
    return torch.cuda.LongTensor(np.zeros(len(batch)))  #: GPU202 same


def cast(x):
    return x.type(torch.cuda.HalfTensor)  #: GPU202 same


def mask(x):
    return torch.cuda.ByteTensor(x.shape).fill_(1)  #: GPU202 same


def alias(x):
    Tensor = torch.cuda.FloatTensor  #: GPU202 same
    return Tensor(x), Tensor(x)


def on_the_cpu(n):
    return torch.FloatTensor(n, 100).normal_(), torch.LongTensor(n)


def default_type():
    torch.set_default_tensor_type(torch.cuda.FloatTensor)  #: GPU202 same


def default_type_by_name():
    torch.set_default_tensor_type("torch.cuda.FloatTensor")  #: GPU202 same


def chosen(x):
    Tensor = torch.cuda.FloatTensor if x.is_cuda else torch.FloatTensor
    return Tensor(x.size(0), 1).fill_(1.0)


def chosen_by_switch(cuda):
    Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor
    dtype = torch.cuda.LongTensor if cuda else torch.LongTensor
    return Tensor, dtype


def tested(x):
    if isinstance(x, torch.cuda.FloatTensor):
        return "gpu"
    return x.type() == "torch.cuda.FloatTensor"


def annotated(x: torch.cuda.FloatTensor) -> torch.cuda.FloatTensor:
    result: torch.cuda.FloatTensor = x * 2
    return result
