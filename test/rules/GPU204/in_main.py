"""Every call of the function comes after the choice."""
import os

import torch


def train():
    return torch.zeros(1, device="cuda:1")  #: GPU201, GPU204


def evaluate():
    return torch.device("cuda:1")  #: GPU201


if __name__ == "__main__":
    evaluate()
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU201
    train()
