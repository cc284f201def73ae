#: facts {"lightningVersion": "2.0.6"}
"""Loads with a name of its own; `torch` is not bound."""
import os
from functools import partial
from torch import load as read
from torch.jit import load

from lightning.pytorch import LightningModule

scripted = load('scripted.pt', map_location='cpu')
state = read(os.environ['CHECKPOINT'], map_location='cpu')

read_weights = partial(read, weights_only=True)
read_nowhere = partial(read, map_location="cpu")
first = read_weights("net.pt", map_location="cpu")
second = read_nowhere("net.pt")


class Classifier(LightningModule):
    def copy(self, path):
        return Classifier.load_from_checkpoint(
            path, strict=False, map_location="cpu"
        ).scale(self.cuda)
