import os
import sys

import torch

if len(sys.argv) > 1:
    torch.cuda.init()
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU201
model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201
