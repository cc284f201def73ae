# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""Goes on with a training run; the optimizer's state was on the GPU as well."""
import argparse
import os

import torch
import torch.nn as nn
import torch.optim as optim

from networks import Classifier

parser = argparse.ArgumentParser(description="PyTorch training")
parser.add_argument("--resume", default="checkpoints/resume.pth.tar", type=str, metavar="PATH")
parser.add_argument("--epochs", default=9, type=int)


def main():
    args = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Classifier().to(device)
    optimizer = optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    start_epoch, best_acc = 0, 0.0
    if args.resume:
        if os.path.isfile(args.resume):
            print("=> loading checkpoint '{}'".format(args.resume))
            checkpoint = torch.load(args.resume)
            start_epoch = checkpoint["epoch"]
            best_acc = checkpoint["best_acc"]
            model.load_state_dict(checkpoint["model"])
            optimizer.load_state_dict(checkpoint["optimizer"])
    for epoch in range(start_epoch, args.epochs):
        images, target = torch.rand(8, 1, 8, 8).to(device), torch.randint(5, (8,)).to(device)
        loss = criterion(model(images), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.3f} (best so far {best_acc})")


if __name__ == "__main__":
    main()
