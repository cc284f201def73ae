import os

import torch


def first():
    model = torch.nn.Linear(2, 2).cuda()
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU203
    return model


def second(model):
    model.to("cuda")
    os.putenv("CUDA_VISIBLE_DEVICES", "1")  #: GPU203


def third(model):
    device = torch.device("cuda:0")
    model.to(device)
    os.environ.update({"CUDA_VISIBLE_DEVICES": "1"})  #: GPU203


def fourth(model):
    torch.zeros(1, device="cuda")
    os.environ.update(CUDA_VISIBLE_DEVICES="1")  #: GPU203


def fifth(path):
    torch.load(path, map_location="cuda:0")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "1")  #: GPU203


def sixth(model, device):
    model.to(device)
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"


def seventh(model):
    model.to("cpu")
    torch.zeros(1, device="cpu")
    torch.load("a.pt", map_location="cpu")
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"


def eighth(model):
    model.to(torch.float16)
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"
