"""What meets tensors of a GPU goes where they are; what is only copied can start in main memory."""
import torch

packed = torch.arange(8).to("cuda" if torch.cuda.is_available() else "cpu")
assert torch.all(packed == torch.load("packed.pt"))


class Head:
    def __init__(self, rows, device, resume=None):
        self.device = device
        if resume:
            self.weight = torch.load(resume + ".weight.pt")
            self.momentum = torch.load(resume + ".momentum.pt")
        else:
            self.weight = torch.randn(rows, device=self.device)
            self.momentum = torch.zeros_like(self.weight)

    def step(self, gradient, rate):
        self.momentum.mul_(0.9).add_(gradient)
        self.weight.sub_(rate * self.momentum)


def changed():
    total = torch.load("total.pt")
    total += packed
    return total


def layered(rows):
    layer = torch.nn.Linear(8, 2, bias=False)
    layer.weight.data = rows.to("cuda" if torch.cuda.is_available() else "cpu")
    return layer(torch.load("inputs.pt"))


def stored(known):
    known["rows"] = torch.load("rows.pt")
    return known
