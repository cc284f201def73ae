import torch
import torch as th
from torch import cuda


def types(n, x):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    a = (torch.cuda.FloatTensor if torch.cuda.is_available() else torch.FloatTensor)(n, 100).normal_()
    b = (th.cuda.LongTensor if torch.cuda.is_available() else torch.LongTensor)(
        n
    )
    c = x.type(
        torch.cuda.HalfTensor if torch.cuda.is_available() else torch.FloatTensor
    )
    d = (torch.cuda.ByteTensor if torch.cuda.is_available() else torch.ByteTensor)(n)
    Tensor = torch.cuda.FloatTensor if torch.cuda.is_available() else torch.FloatTensor
    e = x.to(device, torch.float)
    f = torch.FloatTensor([1]).to(device) + (torch.cuda.FloatTensor if torch.cuda.is_available() else torch.FloatTensor)
    g = (cuda.FloatTensor if torch.cuda.is_available() else torch.FloatTensor)(n)
    h = {"dtype": torch.cuda.FloatTensor if torch.cuda.is_available() else torch.FloatTensor, "all": [torch.cuda.FloatTensor if torch.cuda.is_available() else torch.FloatTensor]}
    torch.set_default_tensor_type(
        torch.cuda.FloatTensor if torch.cuda.is_available() else torch.FloatTensor
    )
    torch.set_default_tensor_type(
        "torch.cuda.FloatTensor" if torch.cuda.is_available() else "torch.FloatTensor"
    )
    return a, b, c, d, e, f, g, h, Tensor
