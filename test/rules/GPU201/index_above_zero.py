"""An index above 0 is reported under a guard too, unless the guard counts the devices."""
import torch
import torch.nn as nn

device = torch.device("cuda:1" if torch.cuda.is_available() else "cpu")  #: GPU201
model = nn.Linear(4, 2).to(device)


def available(x):
    if torch.cuda.is_available():
        x = x.to("cuda:1")  #: GPU201
        x = x.cuda(2)  #: GPU201
        torch.cuda.set_device(1)  #: GPU201 hint
    return x


def switched(x, use_gpu):
    if use_gpu:
        x = x.to("cuda:3")  #: GPU201
    return x


def exits(x):
    if not torch.cuda.is_available():
        return x
    return x.cuda(1)  #: GPU201


def counted(x):
    if torch.cuda.device_count() > 1:
        x = x.to("cuda:1")  #: GPU201 hint
    if torch.cuda.device_count() >= 2:
        x = x.to("cuda:1")  #: GPU201 hint
    if torch.cuda.device_count() == 4:
        x = x.to("cuda:3")  #: GPU201 hint
    if torch.cuda.device_count() > 3:
        x = x.to("cuda:1")  #: GPU201 hint
    if 2 < torch.cuda.device_count():
        x = x.cuda(2)  #: GPU201 hint
    return x


def counted_too_few(x):
    if torch.cuda.device_count() > 1:
        x = x.to("cuda:2")  #: GPU201
    if torch.cuda.device_count() >= 1:
        x = x.to("cuda:1")  #: GPU201
    if torch.cuda.device_count():
        x = x.to("cuda:1")  #: GPU201 hint
    if torch.cuda.device_count() > 0:
        x = x.to("cuda:0")  #: GPU201 hint
    return x


def counted_by_variable(x, wanted):
    if torch.cuda.device_count() >= wanted:
        x = x.to("cuda:1")  #: GPU201 hint
    return x


def counted_before(x):
    count = torch.cuda.device_count()
    several = count > 1
    if several:
        x = x.to("cuda:1")  #: GPU201 hint
    if count < 3:
        return x
    return x.to("cuda:2")  #: GPU201 hint


def chosen():
    return torch.device("cuda:1") if torch.cuda.device_count() > 1 else torch.device("cuda:0")  #: GPU201 hint, GPU201


def counted_exit(x):
    assert torch.cuda.device_count() >= 2, "needs two GPUs"
    return x.to("cuda:0"), x.to("cuda:1")  #: GPU201 hint, GPU201 hint


class TwoGpuNet(nn.Module):
    """A model split over two GPUs, as tutorials write it."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 8).to("cuda:0")  #: GPU201 hint
        self.decoder = nn.Linear(8, 8).to("cuda:1")  #: GPU201 hint

    def forward(self, x):
        x = self.encoder(x.to("cuda:0"))  #: GPU201 hint
        return self.decoder(x.to("cuda:1"))  #: GPU201 hint
