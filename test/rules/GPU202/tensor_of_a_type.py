"""A tensor that is one of CUDA's proves that there is a GPU."""
import torch


def shortcut(out, planes):
    zeros = torch.zeros(out.size(0), planes)
    if isinstance(out.data, torch.cuda.FloatTensor):
        zeros = zeros.cuda()
    return torch.cat([out.data, zeros], dim=1)


def by_name(x):
    if x.type() == "torch.cuda.HalfTensor":
        torch.cuda.synchronize()
    if isinstance(x, torch.FloatTensor):
        torch.cuda.synchronize()  #: GPU202
