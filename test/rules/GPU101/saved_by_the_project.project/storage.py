import os

import torch


def store(value, name, folder="out"):
    torch.save(value, os.path.join(folder, name))


class Writer:
    def write(self, name, value):
        torch.save(value.cpu(), f"{self.folder}/{name}")
