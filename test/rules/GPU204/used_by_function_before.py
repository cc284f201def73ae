"""A function that is called before the choice has initialized CUDA: every GPU is seen."""
import os

import torch


def train():
    return torch.zeros(1, device="cuda:1")  #: GPU201


def evaluate():
    return torch.zeros(1, device="cuda")


if __name__ == "__main__":
    evaluate()
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU201, GPU203
    train()
