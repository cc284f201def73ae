import os

import torch
from net import Net
from torch import nn


def main(folder, epochs):
    model = nn.DataParallel(Net())
    for epoch in range(epochs):
        torch.save(model.state_dict(), os.path.join(folder, f"epoch_{epoch}.pt"))
    torch.save(model.state_dict(), os.path.join(folder, "best.pt"))
    torch.save({"state": model.state_dict(), "epochs": epochs}, os.path.join(folder, "last.pt"))
    torch.save(model.module.state_dict(), "inner.pt")
    torch.save(model.state_dict(), "either.pt")
