"""Functions of the program are followed."""
import argparse
import os

import torch


def get_device():
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("cpu")


def get_name(known):
    if known:
        return "known"
    return torch.cuda.get_device_name()


def numbers():
    yield torch.cuda.current_device()


class Trainer:
    def __init__(self):
        self.name = torch.cuda.get_device_name()


def by_function():
    device = get_device()
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"  #: GPU203
    return device


def by_class():
    trainer = Trainer()
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"  #: GPU203
    return trainer


def perhaps():
    name = get_name(True)
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"
    return name


def not_yet():
    found = numbers()
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"
    return found
