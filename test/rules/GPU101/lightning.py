#: facts {"lightningVersion": "2.0.6"}
"""Lightning's load_from_checkpoint ends in torch.load."""
import pytorch_lightning as pl
import torch
from lightning.pytorch import LightningDataModule, LightningModule
from torch import nn

from segmentation.models import UNetModule


class Classifier(pl.LightningModule):
    def __init__(self, width=64):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Linear(width, 10)

    def forward(self, x):
        return self.net(x)

    @classmethod
    def from_run(cls, folder):
        return cls.load_from_checkpoint(f"{folder}/last.ckpt")  #: GPU101


class LargeClassifier(Classifier):
    pass


class Regressor(LightningModule):
    def forward(self, x):
        return x


class Digits(LightningDataModule):
    pass


class Registry:
    """Has a method of the same name that has nothing to do with Lightning."""

    @classmethod
    def load_from_checkpoint(cls, path):
        with open(path) as stream:
            return stream.read().split()


def evaluate(path, device, trainer, data):
    model = Classifier.load_from_checkpoint(path)  #: GPU101
    wide = LargeClassifier.load_from_checkpoint(path, width=128)  #: GPU101
    regressor = Regressor.load_from_checkpoint(checkpoint_path=path, map_location=None)  #: GPU101
    unet = UNetModule.load_from_checkpoint(path, strict=False)  #: GPU101
    placed = Classifier.load_from_checkpoint(path, map_location=device)
    by_position = Classifier.load_from_checkpoint(path, torch.device("cpu"))
    names = Registry.load_from_checkpoint("names.txt")
    digits = Digits.load_from_checkpoint(path)
    trainer.test(model, data, ckpt_path=path)
    return wide, regressor, unet, placed, by_position, names, digits
