"""A choice that comes too late changes nothing."""
import os

import torch

print(torch.cuda.is_available())
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU201
model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201
