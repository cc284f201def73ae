# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""A resumed weight goes on with a momentum that is made where everything else is."""
import torch


class Head:
    def __init__(self, device, resume=None):
        self.device = device
        if resume:
            self.weight = torch.load(resume)
        else:
            self.weight = torch.randn(30, 12, device=self.device)
        self.momentum = torch.zeros(30, 12, device=self.device)

    def step(self, gradient, rate):
        self.momentum.mul_(0.9).add_(gradient)
        self.weight.sub_(rate * self.momentum)


place = torch.device("cuda" if torch.cuda.is_available() else "cpu")
head = Head(place, resume="checkpoints/embeddings.pt")
head.step(torch.ones(30, 12, device=place), 0.1)
print(head.weight.shape)
