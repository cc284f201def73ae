"""What surely is a model."""
import copy
import os

import timm
import torch
import torch.nn as nn
import torchvision
from torch import save
from torchvision import models
from transformers import AutoModelForSequenceClassification, BertModel

from .networks import UNet, build


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def save(self, path):
        torch.save(self.layer, path)  #: GPU103
        torch.save(self.layer.state_dict(), path)


class Deeper(Net):
    pass


class Trainer:
    def __init__(self, folder):
        self.folder = folder
        self.model = None
        self.head = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
        self.other = UNet()

    def build(self):
        self.model = Deeper().to("cpu")

    def finish(self):
        torch.save(self.model, os.path.join(self.folder, "model.pt"))  #: GPU103
        torch.save(self.head, self.folder + "/head.pt")  #: GPU103
        torch.save(self.other, self.folder + "/other.pt")
        torch.save(self.unknown, self.folder + "/unknown.pt")


def make(pretrained=False):
    if pretrained:
        return torchvision.models.vgg16(weights="DEFAULT")
    net = Net()
    return net


def export(model: nn.Module, path):
    torch.save(model, path)  #: GPU103


def export_any(model, path):
    torch.save(model, path)


net = Net()
torch.save(net, "net.pt")  #: GPU103
torch.save(obj=net, f="net.pt")  #: GPU103
save(Deeper().eval(), "deeper.pt")  #: GPU103
net = nn.DataParallel(net)
torch.save(net, "parallel.pt")  #: GPU103
torch.save(net.module, "inner.pt")  #: GPU103
torch.save(net.module if hasattr(net, "module") else net, "either.pt")  #: GPU103
torch.save(make(), "made.pt")  #: GPU103
torch.save(copy.deepcopy(net).cpu(), "copied.pt")  #: GPU103

resnet = models.resnet18(weights=None)
resnet.fc = nn.Linear(512, 10)
torch.save(resnet, "resnet.pt")  #: GPU103
torch.save(timm.create_model("vit_base_patch16_224"), "vit.pt")  #: GPU103
bert = BertModel.from_pretrained("bert-base-uncased")
torch.save(bert, "bert.pt")  #: GPU103
classifier = AutoModelForSequenceClassification.from_pretrained("x", num_labels=2)
torch.save(classifier, "classifier.pt")  #: GPU103
torch.save(torch.compile(resnet), "compiled.pt")  #: GPU103

torch.save(  #: GPU103
    resnet,
    "several_lines.pt",
)
torch.save(build(), "built.pt")
