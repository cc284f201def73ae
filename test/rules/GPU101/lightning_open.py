#: facts {"lightningRequirement": ">=2.0"}
import pytorch_lightning as pl


class Net(pl.LightningModule):
    pass


net = Net.load_from_checkpoint("last.ckpt")
