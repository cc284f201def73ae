"""Lightning's `devices`: a list picks GPUs, a number counts them."""
import lightning as L


def picked():
    return L.Trainer(accelerator="gpu", devices=[1])  #: GPU201


def counted():
    return L.Trainer(accelerator="gpu", devices=1), L.Trainer(accelerator="gpu", devices=2)


def automatic():
    return L.Trainer(accelerator="auto", devices="auto")
