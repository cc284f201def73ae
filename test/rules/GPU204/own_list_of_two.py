import os

GPUS = "4,5"
os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
os.environ["CUDA_VISIBLE_DEVICES"] = GPUS  #: GPU201

import torch

first, second = torch.device("cuda:0"), torch.device("cuda:1")  #: GPU201, GPU201
third = torch.device("cuda:2")  #: GPU201, GPU204
if torch.cuda.device_count() > 4:
    other = torch.device("cuda:4")  #: GPU201 hint
