import os

os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU201
os.environ.pop("CUDA_VISIBLE_DEVICES")

import torch

model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201
