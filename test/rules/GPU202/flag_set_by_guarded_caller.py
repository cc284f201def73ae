"""A flag that is set in a function which is only called under a guard."""
import torch

settings = {}


def prepare(model):
    settings["fast"] = model.training


def run(model):
    if settings["fast"]:
        model.cuda()


def main(model):
    if torch.cuda.is_available():
        prepare(model)
    run(model)
    if settings["fast"]:
        torch.cuda.synchronize()


def other(model):
    if settings["slow"]:
        torch.cuda.synchronize()  #: GPU202
