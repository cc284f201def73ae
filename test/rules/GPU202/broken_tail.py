"""Half-typed code at the end hides nothing of what stands above it."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def load(model):
    return model.cuda()  #: GPU202


def guarded(model):
    if torch.cuda.is_available():
        return model.cuda()
    return model


def train(model, batch
    for
