"""The longer of two lists counts."""
import os
import sys

if len(sys.argv) > 1:
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU201
else:
    os.environ["CUDA_VISIBLE_DEVICES"] = "1,2"  #: GPU201 hint

import torch

model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201
model.to("cuda:2")  #: GPU201, GPU204
