from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def move(x: "torch.Tensor"):
    return x.cuda()
