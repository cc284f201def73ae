"""A tensor's move returns another tensor."""
import torch
from torch.utils.data import DataLoader
from tqdm import tqdm

device = torch.device("cpu")


def made():
    x = torch.zeros(3)
    x.to(device)  #: GPU205
    x.cpu()  #: GPU205
    x.half()  #: GPU205
    return x


def loaded(data, net):
    loader = DataLoader(data, batch_size=4)
    for images, labels in loader:
        images.to(device)  #: GPU205
        labels = labels.to(device)
        net(images, labels)
    for step, (images, labels) in enumerate(tqdm(loader)):
        images.to(device)  #: GPU205
        net(images, labels, step)
