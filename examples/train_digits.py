"""Trains the digit classifier. It has only ever run on a machine with a GPU."""

import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from networks import DigitNet


def digits(count=512):
    """Noisy images in which the digit is the brightest row."""
    labels = torch.randint(10, (count,))
    images = 0.5 * torch.rand(count, 1, 28, 28)
    images[torch.arange(count), 0, 2 * labels + 4] += 1
    return TensorDataset(images, labels)


def train(model, loader, epochs=3):
    model = model.cuda()
    criterion = nn.CrossEntropyLoss().cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(epochs):
        start = time.perf_counter()
        for images, labels in loader:
            images, labels = images.cuda(non_blocking=True), labels.cuda(non_blocking=True)
            optimizer.zero_grad()
            loss = criterion(model(images), labels)
            loss.backward()
            optimizer.step()
        torch.cuda.synchronize()
        print(f"epoch {epoch}: loss {loss.item():.3f} in {time.perf_counter() - start:.2f} s")
    return model


@torch.no_grad()
def accuracy(model, loader):
    right = 0
    for images, labels in loader:
        if torch.cuda.is_available():
            images, labels = images.cuda(), labels.cuda()
        right += (model(images).argmax(dim=1) == labels).sum().item()
    return right / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(0)
    torch.cuda.manual_seed_all(0)
    trained = train(DigitNet(), DataLoader(digits(), batch_size=32, shuffle=True))
    print(f"Accuracy: {accuracy(trained, DataLoader(digits(), batch_size=128)):.1%}")
