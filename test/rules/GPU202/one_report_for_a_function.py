"""Within a function the first site is the report, and each further one a hint that points back to it."""
import torch
import torch.nn as nn

from data import loader

netG = nn.Linear(8, 8).cuda()  #: GPU202
netD = nn.Linear(8, 1).cuda()  #: GPU202 same
criterion = nn.BCELoss().cuda()


def train(real, noise, device="cuda"):  #: GPU202 hint
    real = real.cuda()  #: GPU202 same
    noise = noise.to("cuda")  #: GPU202 same
    label = torch.ones(4, device="cuda")  #: GPU202 same
    torch.cuda.synchronize()  #: GPU202 same
    return criterion(netD(real), label) + criterion(netD(netG(noise)), label)


def validate(real):
    if torch.cuda.is_available():
        real = real.cuda()
    # The guarded site above was none, so this is the first.
    fake = netG(real.cuda())  #: GPU202 same
    with torch.autocast("cuda"):  #: GPU202 hint
        score = netD(fake.cuda())  #: GPU202 same
    return score


def outer(real):
    def inner(x):
        return x.cuda()  #: GPU202 same

    real = real.cuda()  #: GPU202 same
    real = list(map(lambda x: x.cuda(), [real]))  #: GPU202 same
    return [x.cuda() for x in real], inner  #: GPU202 same


class Evaluator:
    def __init__(self, model):
        self.model = model.cuda()  #: GPU202 same

    def __call__(self, batch):
        batch, mask = batch.cuda(), batch.cuda() > 0  #: GPU202 same, GPU202 same
        return self.model(batch)[mask]


if __name__ == "__main__":
    for real in loader:
        train(real.cuda(), torch.randn(4, 8).cuda())  #: GPU202 same, GPU202 same
