"""A script that stops without a GPU: everything below it is guarded, functions too."""
import sys

import torch

from models import Net


def build():
    # Defined above the exit, called below it only.
    return Net().cuda()


if not torch.cuda.is_available():
    print("This demo needs a GPU")
    sys.exit(0)

device = torch.device("cuda")
print("Running on", torch.cuda.get_device_name(0))
model = build()


def train(batch):
    return model(batch.cuda()).mean()


if __name__ == "__main__":
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        train(torch.randn(4, 8))
    torch.cuda.synchronize()
