import os

import torch


def choose(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)  #: GPU203


def set_up(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)


if __name__ == "__main__":
    set_up(1)
    torch.cuda.init()
    choose(1)
