import os

import torch

device = torch.device("cuda:1")  #: GPU201
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU201
