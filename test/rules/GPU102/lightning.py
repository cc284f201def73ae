import lightning.pytorch as pl
import torch


class Net(pl.LightningModule):
    def __init__(self, width=8):
        super().__init__()
        self.layer = torch.nn.Linear(width, width)


a = Net.load_from_checkpoint("a.ckpt", weights_only=False)  #: GPU102 hint
b = Net.load_from_checkpoint("b.ckpt", map_location="cpu", weights_only=True)
c = Net.load_from_checkpoint("c.ckpt", map_location="cpu")
