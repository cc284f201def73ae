#: facts {"lightningRequirement": ">=2.0.2,<2.1"}
import lightning.pytorch as pl


class Net(pl.LightningModule):
    pass


net = Net.load_from_checkpoint("last.ckpt")  #: GPU101
placed = Net.load_from_checkpoint("last.ckpt", map_location="cpu")
