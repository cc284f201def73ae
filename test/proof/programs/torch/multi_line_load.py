# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""A call as a formatter leaves it."""
import os

import torch

from networks import Generator

OUTPUT = "checkpoints"
EPOCH = 24

generator = Generator()
generator.load_state_dict(
    torch.load(
        os.path.join(
            OUTPUT,
            "netG_epoch_%d.pth" % EPOCH,
        ),
    )
)
generator.eval()
print(generator(torch.randn(2, 8)).detach())
