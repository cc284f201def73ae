import os
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU201
os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(sys.argv)

import torch

model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201
