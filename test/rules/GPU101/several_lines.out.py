import os

import torch

from model import Net

folder = os.environ["RUN"]
model = Net()
model.load_state_dict(
    torch.load(
        os.path.join(folder, "net.pt"),
        weights_only=True,
        map_location="cpu",
    )
)
model.load_state_dict(
    torch.load(
        os.path.join(folder, "ema.pt"),
        weights_only=True,
        map_location="cpu"
    )
)
model.load_state_dict(
    torch.load(
        os.path.join(folder, "swa.pt"),  # averaged over the last ten epochs
        mmap=True,  # it is large
        map_location="cpu",
    )
)
model.load_state_dict(torch.load(
    os.path.join(folder, "best.pt"), map_location="cpu"))
