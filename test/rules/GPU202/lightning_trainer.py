"""What a `Trainer` is told to run on."""
import lightning as L
import pytorch_lightning as pl
from lightning.fabric import Fabric


def asked():
    return pl.Trainer(accelerator="gpu", devices=1, max_epochs=3)  #: GPU202


def asked_by_other_name():
    return L.Trainer(accelerator="cuda")  #: GPU202 same


def counted():
    return pl.Trainer(gpus=1, max_epochs=3)  #: GPU202 same


def listed():
    return pl.Trainer(gpus=[0, 1]), pl.Trainer(gpus=-1)  #: GPU202 same, GPU202 same


def two_causes():
    return pl.Trainer(gpus=1), pl.Trainer(accelerator="gpu"), Fabric(accelerator="gpu")  #: GPU202 same, GPU202 same, GPU202 same


def automatic(args):
    none = pl.Trainer(gpus=None), pl.Trainer(gpus=0), pl.Trainer(gpus=args.gpus)
    return none, L.Trainer(accelerator="auto", devices=1), L.Trainer(accelerator="cpu"), L.Trainer()


def guarded(available):
    import torch

    if torch.cuda.is_available():
        return pl.Trainer(accelerator="gpu")
    return pl.Trainer(accelerator="gpu" if torch.cuda.is_available() else "cpu")


def pinned():
    return L.Trainer(accelerator="gpu", devices=[1])  #: GPU201


class Trainer:
    def __init__(self, gpus, accelerator):
        self.gpus = gpus


def own():
    return Trainer(gpus=1, accelerator="gpu")
