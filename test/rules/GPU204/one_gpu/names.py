#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
import torch

DEVICE = "cuda:1"  #: GPU201, GPU204


class Net(torch.nn.Module):
    device = "cuda:2"  #: GPU201, GPU204

    def forward(self, x):
        return x.to(self.device)


def run(x):
    return x.to(DEVICE)


def both(x, quick):
    where = "cuda:1"  #: GPU201
    if quick:
        where = "cuda:0"  #: GPU201
    return x.to(where)
