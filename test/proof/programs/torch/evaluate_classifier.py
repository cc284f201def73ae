# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""Evaluates the classifier that was trained on the cluster."""
import torch
from torch.utils.data import DataLoader, TensorDataset

from networks import Classifier


def evaluate(model, loader):
    model.eval()
    correct = 0
    with torch.no_grad():
        for images, labels in loader:
            correct += (model(images).argmax(1) == labels).sum().item()
    return correct / len(loader.dataset)


def main():
    model = Classifier()
    model.load_state_dict(torch.load("checkpoints/classifier.pt"))
    data = TensorDataset(torch.rand(20, 1, 8, 8), torch.randint(5, (20,)))
    print("accuracy: %.2f" % evaluate(model, DataLoader(data, batch_size=8)))


if __name__ == "__main__":
    main()
