#: facts {"lightningVersion": "2.1.0", "lightningRequirement": "==2.0.4"}
import pytorch_lightning as pl


class Net(pl.LightningModule):
    pass


net = Net.load_from_checkpoint("last.ckpt")
