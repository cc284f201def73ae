import torch
import torch as th
from torch import cuda


def types(n, x):
    a = torch.cuda.FloatTensor(n, 100).normal_()
    b = th.cuda.LongTensor(
        n
    )
    c = x.type(torch.cuda.HalfTensor)
    d = (torch.cuda.ByteTensor)(n)
    Tensor = torch.cuda.FloatTensor
    e = x.type('torch.cuda.FloatTensor')
    f = torch.cuda.FloatTensor([1]) + torch.cuda.FloatTensor
    g = cuda.FloatTensor(n)
    h = {"dtype": torch.cuda.FloatTensor, "all": [torch.cuda.FloatTensor]}
    torch.set_default_tensor_type(torch.cuda.FloatTensor)
    torch.set_default_tensor_type("torch.cuda.FloatTensor")
    return a, b, c, d, e, f, g, h, Tensor
