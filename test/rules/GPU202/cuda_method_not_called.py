"""`.cuda` that is looked for, stored or tested, and calls through `getattr`."""
import argparse

import torch


class Options:
    def __init__(self, parser: argparse.ArgumentParser):
        args = parser.parse_args()
        self.cuda = args.cuda
        self.version = torch.version.cuda


def movable(x):
    return hasattr(x, "cuda") and callable(getattr(x, "cuda"))


def move_later(model, callbacks):
    callbacks.append(model.cuda)
    mover = model.cuda
    return mover


def choose(model, options):
    move = model.cuda if options.cuda else model.cpu
    return move()


def namespace():
    module = getattr(torch, "cuda")
    return module.is_available()


def tested(model):
    if model.cuda:
        print("has a cuda method")
    return torch.cuda


def called(model):
    return model.cuda()  #: GPU202
