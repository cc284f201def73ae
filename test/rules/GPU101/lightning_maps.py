"""Lightning maps by itself: to the CPU up to 2.0.1, and where CUDA is absent from 2.1 on."""
import lightning.pytorch as pl
import torch


class Net(pl.LightningModule):
    pass


net = Net.load_from_checkpoint("last.ckpt")
same = Net.load_from_checkpoint("last.ckpt", map_location=None)
state = torch.load("last.ckpt")  #: GPU101
