#: facts {"lightningVersion": "2.0.6"}
import pytorch_lightning as pl


class Net(pl.LightningModule):
    pass


class Table:
    def load_from_checkpoint(self, path):
        return path


def restore(path):
    net = Net()
    net = net.load_from_checkpoint(path)  #: GPU101
    table = Table()
    return net, table.load_from_checkpoint(path)
