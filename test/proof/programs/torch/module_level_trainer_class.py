# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""A trainer that keeps its device as an attribute."""
import torch
import torch.nn as nn

from networks import Classifier


class Trainer:
    def __init__(self, checkpoint=None):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = Classifier().to(self.device)
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.epoch = 0
        if checkpoint is not None:
            self.load(checkpoint)

    def load(self, path):
        ckpt = torch.load(path)
        self.model.load_state_dict(ckpt["model"])
        self.optimizer.load_state_dict(ckpt["optimizer"])
        self.epoch = ckpt["epoch"]

    def step(self, images, labels):
        images, labels = images.to(self.device), labels.to(self.device)
        loss = nn.functional.cross_entropy(self.model(images), labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


trainer = Trainer("checkpoints/resume.pth.tar")
print(trainer.epoch, trainer.step(torch.rand(4, 1, 8, 8), torch.tensor([0, 1, 2, 3])))
