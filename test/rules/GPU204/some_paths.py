"""A choice that is not always made."""
import os
import sys

if len(sys.argv) > 1:
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU201

import torch

model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201
