#: facts {"lightningVersion": "2.0.6"}
"""Loads with a name of its own; `torch` is not bound."""
import os
from functools import partial
from torch import load as read
from torch.jit import load

from lightning.pytorch import LightningModule

scripted = load('scripted.pt')
state = read(os.environ['CHECKPOINT'])

read_weights = partial(read, weights_only=True)
read_nowhere = partial(read, map_location=None)
first = read_weights("net.pt")
second = read_nowhere("net.pt")


class Classifier(LightningModule):
    def copy(self, path):
        return Classifier.load_from_checkpoint(path, strict=False).scale(self.cuda)
