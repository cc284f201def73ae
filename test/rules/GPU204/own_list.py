"""The GPUs that the program leaves to be seen are counted from 0."""
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "2"  #: GPU201

import torch

device = torch.device("cuda:2")  #: GPU201, GPU204
model = torch.nn.Linear(2, 2).to("cuda:0")  #: GPU201


def main():
    torch.cuda.set_device(2)  #: GPU201, GPU204
    return model.cuda(1)  #: GPU201, GPU204


main()
