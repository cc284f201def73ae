import os

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "1")

import torch

model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201
